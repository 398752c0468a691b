// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many scenes began a draft, and how many were given one back.
package final class DraftCensus: Sendable {
  private let new = Atomic<Int>(0)
  private let restored = Atomic<Int>(0)
  private let wrong = Atomic<Int>(0)

  package init() {}

  func noteNew() { new.wrappingAdd(1, ordering: .relaxed) }

  func noteRestored(isRight: Bool) {
    restored.wrappingAdd(1, ordering: .relaxed)
    if !isRight { wrong.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Does something, and checks how many drafts it began and was given back.
  ///
  /// - Parameters:
  ///   - isRight: Tells whether those are the right numbers.
  ///   - work: The work.
  /// - Returns: What the work returns.
  /// - Throws: What the work throws, or a ``BenchmarkFailure`` if drafts were lost or mixed up.
  package func checking(
    _ isRight: (_ new: Int, _ restored: Int) -> Bool, _ work: () async throws -> Reading
  ) async throws -> Reading {
    let before = (new.load(ordering: .relaxed), restored.load(ordering: .relaxed))
    let reading = try await work()
    let begun = new.load(ordering: .relaxed) - before.0
    let given = restored.load(ordering: .relaxed) - before.1
    let wrong = wrong.load(ordering: .relaxed)
    guard isRight(begun, given), wrong == 0 else {
      throw BenchmarkFailure("\(begun) drafts were begun, \(given) given back, \(wrong) wrong")
    }
    return reading
  }
}
