// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// Wakes the one task that waits for something to do; several rings before it has looked are one.
  final class NodeBell: Sendable {
    private let rings = Inbox<Void>()

    func ring() {
      rings.post(CollectionOfOne(()))
    }

    /// Waits for a ring; returns false once nothing is to be done any more, or the task is
    /// cancelled and the bell was rung since.
    func wait() async -> Bool {
      guard await rings.waitForWork() else { return false }
      _ = rings.take()
      return !Task.isCancelled
    }

    /// Lets the task end that waits.
    func finish() {
      rings.close()
    }
  }
#endif
