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

  /// Does nothing: a program that makes the counter again goes on where it was.
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

/// The values that were recorded under one label with its dimensions.
final class MetricSeries: CounterHandler, FloatingPointCounterHandler, MeterHandler,
  RecorderHandler, TimerHandler
{
  /// How values are put together.
  enum Kind: Sendable {
    case counter
    case gauge
    case summary
    case timer

    var text: String {
      switch self {
      case .counter: "counter"
      case .gauge: "gauge"
      case .summary, .timer: "summary"
      }
    }
  }

  /// One line of the text.
  struct Line: Sendable {
    var suffix = ""
    var quantile: String?
    var value: Double
  }

  private struct State: Sendable {
    /// The last value of a gauge, the sum of everything else.
    var value = 0.0
    var count = 0
    var times: LatencyHistogram?
  }

  private static let quantiles = [0.5, 0.9, 0.99, 0.999]

  let kind: Kind
  private let state: Guarded<State>

  init(_ kind: Kind) {
    self.kind = kind
    var state = State()
    if kind == .timer { state.times = LatencyHistogram() }
    self.state = Guarded(state)
  }

  // MARK: - What is recorded

  func increment(by amount: Int64) { increment(by: Double(amount)) }

  func increment(by amount: Double) {
    state.withLock { $0.value += amount }
  }

  func decrement(by amount: Double) { increment(by: -amount) }

  func reset() {
    state.withLock { $0.value = 0 }
  }

  func set(_ value: Int64) { set(Double(value)) }

  func set(_ value: Double) {
    state.withLock { $0.value = value }
  }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    if kind == .gauge { return set(value) }
    state.withLock { state in
      state.value += value
      state.count += 1
    }
  }

  func recordNanoseconds(_ duration: Int64) {
    state.withLock { state in
      state.value += Double(max(duration, 0)) / 1e9
      state.count += 1
      state.times?.record(nanoseconds: Int(max(duration, 0)))
    }
  }

  // MARK: - What is shown

  /// The lines of the series.
  var lines: [Line] {
    let state = state.withLock { $0 }
    guard kind == .summary || kind == .timer else { return [Line(value: state.value)] }
    var lines: [Line] = []
    if let times = state.times, state.count > 0 {
      lines = Self.quantiles.map {
        Line(quantile: "\($0)", value: Double(times.quantile($0)) / 1e9)
      }
    }
    return lines + [
      Line(suffix: "_sum", value: state.value), Line(suffix: "_count", value: Double(state.count)),
    ]
  }
}

extension MetricSeries {
  /// The name of a series: that of its family, and its dimensions.
  struct Name: Hashable, Comparable, Sendable {
    /// As Prometheus names it: `proscenium_connects_total`.
    let family: String
    /// Inside the braces: `session="new"`.
    let labels: String

    init(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) {
      var family = Self.identifier(label, allowing: ":")
      switch kind {
      case .counter where !family.hasSuffix("_total"): family += "_total"
      case .timer where !family.hasSuffix("_seconds"): family += "_seconds"
      default: break
      }
      self.family = family
      labels =
        dimensions
        .map { (Self.identifier($0, allowing: "_"), Self.escaped($1)) }
        .sorted { $0.0 < $1.0 }
        .map { "\($0)=\"\($1)\"" }
        .joined(separator: ",")
    }

    static func < (left: Name, right: Name) -> Bool {
      (left.family, left.labels) < (right.family, right.labels)
    }

    /// A line of the text.
    func line(_ suffix: String, _ quantile: String?, _ value: Double) -> String {
      var labels = labels.isEmpty ? [] : [labels]
      if let quantile { labels.append("quantile=\"\(quantile)\"") }
      let shown = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      return "\(family)\(suffix)\(shown) \(Self.number(value))\n"
    }

    /// A text with an underscore for everything that names cannot have.
    private static func identifier(_ text: String, allowing other: Character) -> String {
      let allowed = text.map { character in
        character.isASCII && (character.isLetter || character.isNumber || character == "_")
          || character == other ? character : "_"
      }
      let isNumbered = allowed.first?.isNumber ?? true
      return (isNumbered ? "_" : "") + String(allowed)
    }

    private static func escaped(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
      if value.isNaN { return "NaN" }
      if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
      return Int(exactly: value).map { "\($0)" } ?? "\(value)"
    }
  }
}
