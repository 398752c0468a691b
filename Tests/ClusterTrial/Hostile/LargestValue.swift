// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import CoreMetrics
  import Synchronization

  /// The largest value of one gauge of a node; the other metrics are dropped.
  final class LargestValue: MetricsFactory, RecorderHandler {
    private let label: String
    private let largest = Atomic<Int64>(0)

    init(_ label: String) {
      self.label = label
    }

    /// Returns it, and begins again.
    func take() -> Int { Int(largest.exchange(0, ordering: .acquiringAndReleasing)) }

    func record(_ value: Int64) { largest.max(value, ordering: .relaxed) }

    func record(_ value: Double) { record(Int64(value)) }

    func makeRecorder(
      label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler { label == self.label ? self : NOOPMetricsHandler.instance }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      NOOPMetricsHandler.instance
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      NOOPMetricsHandler.instance
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }
#endif
