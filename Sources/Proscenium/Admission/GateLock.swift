// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The lock of the gate, and the count of changes for those who do not pass it.
///
/// All that one holder changes of what events go by is one change. Until the application runs, and
/// once whoever ends it has given the gate back, one is under way: nothing is chosen without the
/// gate then.
struct GateLock: ~Copyable, Sendable {
  private let gate: Apart<Guarded<Gate>>
  let changes = Apart(RoutingChanges())

  init(_ gate: consuming Gate) {
    self.gate = Apart(guarding: gate)
    changes.value.begin()
  }

  /// Runs `body` with the lock held and returns its result.
  @inline(__always)
  func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Gate) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try gate.withLock { (gate) throws(Failure) in
      defer { completeChange(&gate) }
      return try body(&gate)
    }
  }

  /// Notes that the holder is about to change what events go by.
  func beginChange(_ gate: inout Gate) {
    if gate.isChanging { return }
    gate.isChanging = true
    changes.value.begin()
  }

  @inline(__always)
  private func completeChange(_ gate: inout Gate) {
    if gate.phase != .running { return beginChange(&gate) }
    guard gate.isChanging else { return }
    gate.isChanging = false
    changes.value.complete()
  }
}
