// SPDX-License-Identifier: Apache-2.0

/// How long events take at shares of a rate, next to queues with nothing behind them.
public struct LoadWaits: Sendable {
  private struct Measurement: Sendable {
    let share: Double
    let rate: Double
    let latencies: LatencyHistogram
    let floor: LatencyHistogram

    func ratio(_ percentile: Double) -> Double? {
      let waited = floor.quantile(percentile / 100)
      return waited > 0 ? Double(latencies.quantile(percentile / 100)) / Double(waited) : nil
    }
  }

  /// The shares of the rate that are measured: little to do, as much as is wise, and nearly all.
  public static let shares = [0.2, 0.5, 0.9]

  private static let percentiles: [(name: String, value: Double)] = [
    ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
  ]

  private var measurements: [Measurement] = []
  /// What was not as it is promised, a sentence for each.
  public private(set) var violations: [String] = []

  /// Creates an empty collection.
  public init() {}

  /// Adds a test that has measured its floor; one without is left out.
  ///
  /// - Parameters:
  ///   - summary: What the test has measured.
  ///   - share: The share of the rate at which it was run.
  public mutating func add(_ summary: LoadSummary, at share: Double) {
    violations += summary.violations.map { "at \(Self.percent(share)): \($0)" }
    guard let floor = summary.floor else { return }
    measurements.append(
      Measurement(
        share: share, rate: summary.rate, latencies: summary.latencies.all, floor: floor))
  }

  /// How many times as long events take as in the queues.
  ///
  /// - Parameters:
  ///   - percentile: From 0 to 100.
  ///   - share: One of those that were added.
  /// - Returns: The ratio; nil if nothing was measured there.
  public func ratio(_ percentile: Double, at share: Double) -> Double? {
    measurements.first { $0.share == share }.flatMap { $0.ratio(percentile) }
  }

  /// The table for people; empty if nothing was measured.
  var text: String {
    guard !measurements.isEmpty else { return "" }
    var table = TextTable([.left] + Self.percentiles.map { _ in .right })
    table.add(row: ["waits"] + Self.percentiles.map(\.name))
    for measurement in measurements {
      table.add(
        row: ["\(Self.percent(measurement.share)), \(NumberText.rate(measurement.rate))"]
          + Self.percentiles.map { measurement.latencies.text($0.value) })
      table.add(
        row: ["  in queues alone"] + Self.percentiles.map { measurement.floor.text($0.value) })
      table.add(
        row: ["  ratio"]
          + Self.percentiles.map { percentile in
            measurement.ratio(percentile.value).map { "×" + NumberText.fixed($0, places: 1) } ?? "-"
          })
    }
    return "\n" + table.description
  }

  /// The totals in the CSV.
  func rows(name: String) -> [CSVRow] {
    measurements.flatMap { measurement in
      [("all", measurement.latencies), ("floor", measurement.floor)].flatMap { scene, histogram in
        CSVRow.latencies(
          of: name, histogram, Self.percentiles.map(\.value),
          labels: ["scene": scene, "share": NumberText.fixed(measurement.share, places: 1)])
      }
    }
  }

  private static func percent(_ share: Double) -> String {
    NumberText.fixed(100 * share, places: 0) + " %"
  }
}
