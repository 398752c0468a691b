// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// Tells what a database has lost that it had acknowledged.
  final class LossReporter: Sendable {
    /// What tells the application's observers; nothing before the application is made.
    let exchange = Guarded<SliceExchange?>(nil)
    private let log: Logger
    private let metrics: NodeMetrics

    init(_ log: Logger, _ metrics: NodeMetrics) {
      self.log = log
      self.metrics = metrics
    }

    func tell(_ losses: RecentCommits.Losses) {
      metrics.note(losses)
      log.error(
        "the database has lost what it had acknowledged",
        metadata: [
          "written_again": "\(losses.again.count)", "lost": "\(losses.lost.count)",
          "forgotten": "\(losses.forgotten)",
        ])
      let exchange = exchange.withLock { $0 }
      for session in losses.lost {
        log.error(
          "a session's last acknowledged changes are lost", metadata: ["session": "\(session)"])
        exchange?.reportLoss(of: session)
      }
    }
  }
#endif
