// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import ProsceniumPrimitives

/// Keeps a program's metrics in memory, and shows them as text in the format of Prometheus.
///
/// Each label with its dimensions is a series. Beyond ``seriesLimit`` of them, and for a label that
/// is there as another kind, what is recorded is dropped, and counted in
/// `proscenium_metrics_refused_total`.
public final class MetricsRegistry: MetricsFactory {
  /// How many series there may be.
  public static let seriesLimit = 2_000

  private struct State: Sendable {
    var series: [MetricSeries.Name: MetricSeries] = [:]
    var kinds: [String: MetricSeries.Kind] = [:]
    var refused = 0
  }

  private let state = Guarded(State())

  /// Creates a registry without series.
  public init() {}

  // MARK: - The factory

  /// Makes a counter, shown as `LABEL_total`.
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler {
    series(label, dimensions, .counter) ?? NOOPMetricsHandler.instance
  }

  /// Makes a counter of reals, shown as `LABEL_total`.
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, dimensions, .counter) ?? NOOPMetricsHandler.instance
  }

  /// Makes a meter, shown as a gauge.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge) ?? NOOPMetricsHandler.instance
  }

  /// Makes a recorder: a gauge, or a summary of all values if `aggregate` is set.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    series(label, dimensions, aggregate ? .summary : .gauge) ?? NOOPMetricsHandler.instance
  }

  /// Makes a timer, shown as the summary `LABEL_seconds` with percentiles.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .timer) ?? NOOPMetricsHandler.instance
  }

  /// Does nothing: a program that makes the counter anew goes on where it was.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing, as for other counters.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  /// Does nothing: the last value stays.
  public func destroyMeter(_ handler: any MeterHandler) {}
  /// Does nothing: what was recorded stays.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing: what was recorded stays.
  public func destroyTimer(_ handler: any TimerHandler) {}

  private func series(
    _ label: String, _ dimensions: [(String, String)], _ kind: MetricSeries.Kind
  ) -> MetricSeries? {
    let name = MetricSeries.Name(label, dimensions, kind)
    return state.withLock { state in
      if let known = state.series[name], known.kind == kind { return known }
      guard state.series.count < Self.seriesLimit, state.kinds[name.family, default: kind] == kind
      else {
        state.refused += 1
        return nil
      }
      let series = MetricSeries(kind)
      state.series[name] = series
      state.kinds[name.family] = kind
      return series
    }
  }

  // MARK: - The text

  /// All series, sorted by their names.
  public var text: String {
    let (series, refused) = state.withLock { ($0.series, $0.refused) }
    var text = ""
    var family = ""
    for (name, series) in series.sorted(by: { $0.key < $1.key }) {
      if name.family != family {
        family = name.family
        text += "# TYPE \(family) \(series.kind.text)\n"
      }
      for line in series.lines { text += name.line(line.suffix, line.quantile, line.value) }
    }
    let own = "proscenium_metrics_refused_total"
    return text + "# TYPE \(own) counter\n\(own) \(refused)\n"
  }
}
