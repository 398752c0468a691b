// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics

/// Gives what a load test sees in each second to a program's metrics.
public struct LoadMetrics: Sendable {
  private static let percentiles = [("50", 0.5), ("99", 0.99), ("99.9", 0.999)]

  private let sent: Counter
  private let delivered: Counter
  private let faults: Counter
  private let processors: Gauge
  private let waiting: Gauge
  private let latencies: [Gauge]
  private let memory: [Gauge]

  /// Creates the counters.
  ///
  /// - Parameter factory: Where the metrics go.
  public init(_ factory: any MetricsFactory) {
    func gauge(_ name: String, _ dimensions: [(String, String)] = []) -> Gauge {
      Gauge(label: "proscenium_load_\(name)", dimensions: dimensions, factory: factory)
    }
    func counter(_ name: String) -> Counter {
      Counter(label: "proscenium_load_\(name)", factory: factory)
    }
    sent = counter("events_sent")
    delivered = counter("events_delivered")
    faults = counter("faults")
    processors = gauge("processors")
    waiting = gauge("changes_waiting")
    latencies = Self.percentiles.map {
      gauge("latency_seconds", [("percentile", $0.0)])
    }
    memory = ["allocated", "active", "resident", "retained"].map {
      gauge("memory_bytes", [("kind", $0)])
    }
  }

  /// Takes what was seen in a second.
  public func record(_ sample: LoadSample) {
    sent.increment(by: sample.sent)
    delivered.increment(by: sample.latencies.count)
    faults.increment(by: sample.faults)
    processors.record(sample.processors)
    waiting.record(sample.waiting)
    let all = sample.latencies.all
    for (percentile, gauge) in zip(Self.percentiles, latencies) where all.count > 0 {
      gauge.record(Double(all.quantile(percentile.1)) / 1e9)
    }
    guard let read = sample.memory else { return }
    for (bytes, gauge) in zip([read.allocated, read.active, read.resident, read.retained], memory) {
      gauge.record(bytes)
    }
  }
}
