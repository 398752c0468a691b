// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives
  import Synchronization

  /// Wakes the one task that waits for something to do; several rings before it has looked are one.
  final class NodeBell: Sendable {
    private let rings = Inbox<Void>()
    /// Whether it was rung, and the task has not begun to look: one more ring costs nothing.
    private let isRung = Atomic(false)

    func ring() {
      if isRung.exchange(true, ordering: .acquiringAndReleasing) { return }
      rings.post(CollectionOfOne(()))
    }

    /// Waits for a ring; returns false once nothing is to be done any more, or the task is
    /// cancelled and the bell was rung since.
    func wait() async -> Bool {
      guard await rings.waitForWork() else { return false }
      _ = rings.take()
      // Last: what is rung for before this is seen by the task, which looks after it.
      _ = isRung.exchange(false, ordering: .acquiringAndReleasing)
      return !Task.isCancelled
    }

    /// Lets the task end that waits.
    func finish() {
      rings.close()
    }
  }
#endif
