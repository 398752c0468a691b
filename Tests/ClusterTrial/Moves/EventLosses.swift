// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import CoreMetrics
  import Logging
  import Proscenium
  import ProsceniumPrimitives
  import Synchronization

  /// Which events their sender was told to be lost.
  final class EventLosses: Sendable {
    private let log: Logger
    private let lost = Guarded<[SessionIdentifier: Int]>([:])
    /// Those that a node may have had before it ended; they are told to be lost as well.
    let unknown = MetricCount("proscenium_cluster_unknown_messages")

    init(_ log: Logger) {
      self.log = log
    }

    /// Takes note of what an application tells its observer.
    func note(_ event: LifecycleEvent) {
      guard case .lost(.message(let message)) = event.kind, let session = event.session,
        let told = EventMessage(message)
      else { return }
      log.warning(
        "an event is lost", metadata: ["session": "\(session)", "number": "\(told.number)"])
      lost.withLock { $0[session, default: 0] += 1 }
    }

    func count(of session: SessionIdentifier) -> Int { lost.withLock { $0[session] ?? 0 } }
  }

  /// The count of one metric of a node; the others are dropped.
  final class MetricCount: MetricsFactory, CounterHandler {
    private let label: String
    private let value = Atomic<Int64>(0)

    init(_ label: String) {
      self.label = label
    }

    var count: Int { Int(value.load(ordering: .acquiring)) }

    func increment(by amount: Int64) { value.add(amount, ordering: .releasing) }

    func reset() { value.store(0, ordering: .releasing) }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      label == self.label ? self : NOOPMetricsHandler.instance
    }

    func makeRecorder(
      label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { NOOPMetricsHandler.instance }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }
#endif
