// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the changes of what events go by, for those who choose a session without the gate.
///
/// A change begins before the first part of it can be seen. It is complete when all of it can be,
/// the plan that was decided included. Whoever finds that all that have begun in the end were
/// complete at first, has seen no change by half, and what was chosen is right still.
struct RoutingChanges: ~Copyable, Sendable {
  private let begun = Atomic<UInt>(0)
  private let completed = Atomic<UInt>(0)

  /// Counts a change before anything of it can be seen.
  func begin() {
    begun.wrappingAdd(1, ordering: .relaxed)
    // Whoever sees anything of it, and asks after that, sees that it has begun.
    atomicMemoryFence(ordering: .releasing)
  }

  /// Counts a change that has begun and can be seen as a whole.
  func complete() {
    completed.wrappingAdd(1, ordering: .releasing)
  }

  /// How many changes are complete; to be asked before anything is looked at.
  var completedCount: UInt { completed.load(ordering: .acquiring) }

  /// Finds out whether anything was changed while it was looked at.
  ///
  /// - Parameter completedCount: How many changes were complete before.
  /// - Returns: Whether no more have begun than that.
  func none(since completedCount: UInt) -> Bool {
    // What was looked at, was looked at before the count.
    atomicMemoryFence(ordering: .acquiring)
    return begun.load(ordering: .relaxed) == completedCount
  }
}
