// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import CoreMetrics
  import Logging
  import Proscenium
  import ProsceniumPrimitives

  /// What a node says of itself in the program's metrics.
  struct NodeMetrics: Sendable {
    private let served: Gauge
    private let waiting: Gauge
    private let parked: Gauge
    private let serving: Gauge
    private let beat: Timer
    private let burial: Timer
    private let adoption: Timer
    private let lost: Counter
    private let writtenAgain: Counter

    init(_ factory: any MetricsFactory) {
      func gauge(_ name: String) -> Gauge {
        Gauge(label: "proscenium_cluster_\(name)", factory: factory)
      }
      func timer(_ name: String) -> Timer {
        Timer(label: "proscenium_cluster_\(name)", factory: factory)
      }
      func counter(_ name: String) -> Counter {
        Counter(label: "proscenium_cluster_\(name)", factory: factory)
      }
      served = gauge("served_slices")
      waiting = gauge("waiting_slices")
      parked = gauge("parked_slices")
      serving = gauge("serving")
      beat = timer("beat_time")
      burial = timer("burial_time")
      adoption = timer("adoption_time")
      lost = counter("lost_commits")
      writtenAgain = counter("repeated_commits")
    }

    func note(_ status: ClusterNode.Status) {
      served.record(status.served)
      waiting.record(status.waiting)
      parked.record(status.parked)
      serving.record(status.isServing ? 1 : 0)
    }

    func noteBeat(answeredAfter time: Duration) { beat.record(duration: time) }

    func noteBurial(_ time: Duration) { burial.record(duration: time) }

    func noteAdoption(_ time: Duration) { adoption.record(duration: time) }

    func note(_ losses: RecentCommits.Losses) {
      lost.increment(by: losses.lost.count + losses.forgotten)
      writtenAgain.increment(by: losses.again.count)
    }
  }

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

  extension Timer {
    fileprivate func record(duration: Duration) {
      let (seconds, attoseconds) = duration.components
      recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
  }
#endif
