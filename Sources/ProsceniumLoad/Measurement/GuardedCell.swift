// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A value behind a lock of its own, one of many in a list.
final class GuardedCell<Value: Sendable>: Sendable {
  private let value: Guarded<Value>

  init(_ value: Value) {
    self.value = Guarded(value)
  }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    value.withLock { body(&$0) }
  }
}

/// Runs a body while something else runs: from the moment in which that is ready until the body
/// returns.
///
/// - Parameters:
///   - other: What else runs, until it is cancelled; it calls `isReady` once.
///   - body: The body.
/// - Returns: What the body returns.
/// - Throws: What either throws; the body does not begin where the other fails first.
package func withCompany<Success: Sendable>(
  of other: @escaping @Sendable (_ isReady: @escaping @Sendable () -> Void) async throws -> Void,
  _ body: () async throws -> Success
) async throws -> Success {
  let (ready, signal) = AsyncThrowingStream<Never, any Error>.makeStream()
  return try await withThrowingTaskGroup { group in
    // Cancelled when the body has returned.
    group.addTask {
      do {
        try await other { signal.finish() }
      } catch {
        signal.finish(throwing: error)
        throw error
      }
    }
    for try await _ in ready {}
    let result = try await body()
    group.cancelAll()
    try await group.waitForAll()
    return result
  }
}
