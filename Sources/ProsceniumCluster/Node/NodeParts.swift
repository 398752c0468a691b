// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// What the tasks of a node work on.
  struct NodeParts: Sendable {
    let authority: any ClusterAuthority
    let settings: ClusterSettings
    let store: ClusterStore
    let duties: NodeDuties
    /// What brings messages to the other nodes, if anything does.
    let links: NodeLinks?
    /// What takes sessions from the application, and brings them.
    let slices: SliceExchange
    /// The scenes and the clients of slices that could not be given away.
    let kept: ReturningScenes
    /// Lets the application end in order.
    let endApplication: @Sendable () -> Void
    let progress = NodeProgress()
    let metrics: NodeMetrics
    let log: Logger
    let clock: any Clock<Duration>
    let elapsed: @Sendable () -> Duration

    /// Lets the metrics, and those who wait until the node serves, know how far it is.
    func noteProgress() {
      let ledger = duties.ledger.withLock { $0 }
      metrics.note(ledger.counts, isServing: duties.isServing)
      if let links { metrics.note(forwarding: links.waitingCount) }
      progress.note(ledger)
    }
  }
#endif
