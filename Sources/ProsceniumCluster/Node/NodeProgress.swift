// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// Whether a node serves what it has, for those who wait for that.
  final class NodeProgress: Sendable {
    private let isReady = Guarded(false)
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    /// Looks whether everything of the node's is served, or it has nothing.
    func note(_ ledger: SliceLedger) {
      guard ledger.node != nil, ledger.counts.waiting == 0,
        ledger.ownCount > 0 || ledger.freeCount == 0
      else { return }
      finish()
    }

    /// Lets those go on who wait.
    func finish() {
      isReady.withLock { $0 = true }
      continuation.finish()
    }

    /// Waits until the node serves, or is about to end; one task waits.
    func waitUntilReady() async {
      if isReady.withLock({ $0 }) { return }
      for await _ in stream {}
    }
  }
#endif
