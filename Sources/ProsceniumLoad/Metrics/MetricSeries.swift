// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import ProsceniumPrimitives

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
