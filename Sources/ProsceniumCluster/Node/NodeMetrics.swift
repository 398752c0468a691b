// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import CoreMetrics

  /// What a node says of itself in the program's metrics.
  struct NodeMetrics: Sendable {
    private let served: Gauge
    private let waiting: Gauge
    private let parked: Gauge
    private let serving: Gauge
    private let beat: Timer
    private let burial: Timer
    private let adoption: Timer
    private let gift: Timer
    private let forwarding: Gauge
    private let routing: Timer
    private let unknown: Counter
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
      gift = timer("hand_over_time")
      forwarding = gauge("forwarding_messages")
      routing = timer("routing_lag")
      unknown = counter("unknown_messages")
      lost = counter("lost_commits")
      writtenAgain = counter("repeated_commits")
    }

    func note(_ slices: SliceLedger.Counts, isServing: Bool) {
      served.record(slices.served)
      waiting.record(slices.waiting)
      parked.record(slices.parked)
      serving.record(isServing ? 1 : 0)
    }

    func noteBeat(answeredAfter time: Duration) { beat.record(duration: time) }

    func noteBurial(_ time: Duration) { burial.record(duration: time) }

    func noteAdoption(_ time: Duration) { adoption.record(duration: time) }

    func noteGift(_ time: Duration) { gift.record(duration: time) }

    func noteRouting(_ lag: Duration) { routing.record(duration: lag) }

    func note(forwarding count: Int) { forwarding.record(count) }

    func noteUnknown(_ count: Int) { unknown.increment(by: count) }

    func note(_ losses: RecentCommits.Losses) {
      lost.increment(by: losses.lost.count + losses.forgotten)
      writtenAgain.increment(by: losses.again.count)
    }
  }

  extension Timer {
    fileprivate func record(duration: Duration) {
      let (seconds, attoseconds) = duration.components
      recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
  }
#endif
