// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import ProsceniumLoad
import Testing

/// Metrics as text in the format of Prometheus.
@Suite struct MetricsRegistryTests {
  private static let end = """
    # TYPE proscenium_metrics_refused_total counter
    proscenium_metrics_refused_total 0

    """

  @Test func `series are sorted, each kind in its form`() {
    let registry = MetricsRegistry()
    Counter(label: "b.requests", dimensions: [("z", "1"), ("a", "2")], factory: registry)
      .increment(by: 3)
    Counter(label: "b.requests", dimensions: [("a", "1"), ("z", "1")], factory: registry)
      .increment()
    Gauge(label: "a_bytes", factory: registry).record(2.5)
    let meter = Meter(label: "scenes", factory: registry)
    meter.set(4)
    meter.decrement()
    Recorder(label: "sizes", factory: registry).record(7)
    Timer(label: "lag", factory: registry).recordMilliseconds(100)
    #expect(
      registry.text == """
        # TYPE a_bytes gauge
        a_bytes 2.5
        # TYPE b_requests_total counter
        b_requests_total{a="1",z="1"} 1
        b_requests_total{a="2",z="1"} 3
        # TYPE lag_seconds summary
        lag_seconds{quantile="0.5"} 0.1
        lag_seconds{quantile="0.9"} 0.1
        lag_seconds{quantile="0.99"} 0.1
        lag_seconds{quantile="0.999"} 0.1
        lag_seconds_sum 0.1
        lag_seconds_count 1
        # TYPE scenes gauge
        scenes 3
        # TYPE sizes summary
        sizes_sum 7
        sizes_count 1

        """ + Self.end)
  }

  @Test func `names and values can be read whatever is in them`() {
    let registry = MetricsRegistry()
    Counter(
      label: "9 lives\n", dimensions: [("who-is", "a \"b\" \\ \n c")], factory: registry
    ).increment()
    #expect(
      registry.text == """
        # TYPE _9_lives__total counter
        _9_lives__total{who_is="a \\"b\\" \\\\ \\n c"} 1

        """ + Self.end)
  }

  @Test func `a counter that is made again goes on`() {
    let registry = MetricsRegistry()
    for _ in 0..<3 {
      let counter = Counter(label: "errors", factory: registry)
      counter.increment()
      counter.destroy()
    }
    #expect(registry.text.contains("errors_total 3\n"))
  }

  @Test func `there are so many series at most, and one kind for a name`() {
    let registry = MetricsRegistry()
    for number in 0..<MetricsRegistry.seriesLimit + 5 {
      Gauge(label: "g", dimensions: [("number", "\(number)")], factory: registry).record(1)
    }
    #expect(registry.text.contains("proscenium_metrics_refused_total 5\n"))
    let other = MetricsRegistry()
    Gauge(label: "g", factory: other).record(1)
    Recorder(label: "g", factory: other).record(5)
    #expect(other.text.contains("g 1\n"))
    #expect(other.text.contains("proscenium_metrics_refused_total 1\n"))
  }
}
