// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts

/// Everything that a file says about one run.
struct ReportRun: Sendable {
  /// The identifier, as ``RunIdentifier`` makes it.
  let id: String
  /// The file.
  let path: String
  /// What is known of the circumstances: `machine`, `commit`, `flags`, `seed`, `started_at`.
  var circumstances: [String: String] = [:]
  /// The values about the whole run, in the order of the file; several where they were repeated.
  private(set) var totals: [(figure: ReportFigure, values: [Double])] = []
  /// The values over time, in the order of the file.
  private(set) var series: [(figure: ReportFigure, series: ReportSeries)] = []
  /// Where each figure is among the totals, and among the series.
  private var totalPlaces: [ReportFigure: Int] = [:], seriesPlaces: [ReportFigure: Int] = [:]

  init(id: String, path: String) {
    (self.id, self.path) = (id, path)
  }

  /// Takes the rows of a run.
  init(id: String, _ rows: [CSVRow]) {
    self.init(id: id, path: "")
    add(rows)
  }

  /// Adds rows.
  mutating func add(_ rows: [CSVRow]) {
    for row in rows {
      let figure = ReportFigure(row)
      // A number that was written can be read.
      let value = Double(row.value.description) ?? 0
      if row.suite == .meta {
        circumstances[row.metric] = row.labels[row.metric] ?? row.value.description
      } else {
        add(figure, value, at: row.time.flatMap { Double($0.description) })
      }
    }
  }

  /// How many values of one figure are kept.
  static let repetitionLimit = 256

  /// Adds a value of a figure, at a time or of the whole run.
  ///
  /// - Parameters:
  ///   - figure: Which value it is.
  ///   - value: The value.
  ///   - time: When it was so, or nil of the whole run.
  ///   - points: How many points of a new series are kept.
  /// - Returns: Whether the figure is new.
  @discardableResult
  mutating func add(
    _ figure: ReportFigure, _ value: Double, at time: Double?, points: Int = 1_024
  ) -> Bool {
    let place = time == nil ? totalPlaces[figure] : seriesPlaces[figure]
    if let time {
      if place == nil {
        seriesPlaces[figure] = series.count
        series.append((figure, ReportSeries(limit: points)))
      }
      series[place ?? series.count - 1].series.add(value, at: time)
    } else if let place {
      if totals[place].values.count < Self.repetitionLimit { totals[place].values.append(value) }
    } else {
      totalPlaces[figure] = totals.count
      totals.append((figure, [value]))
    }
    return place == nil
  }

  /// What was run as a whole: the contests of the benchmarks are many.
  var title: String { suites.contains("bench") ? "Benchmarks" : name }

  /// What was run, such as the name of a scenario; the first one if there are several.
  var name: String { totals.first?.figure.name ?? series.first?.figure.name ?? "nothing" }

  /// The suites it has results of, such as `load`.
  var suites: Set<String> {
    Set(totals.map(\.figure.suite)).union(series.map(\.figure.suite))
  }

  /// The middle value of a total, or nil if there is none.
  func total(_ metric: String, percentile: Double? = nil, labels: String = "") -> Double? {
    let found = totals.first {
      $0.figure.metric == metric && $0.figure.percentile == percentile && $0.figure.labels == labels
    }
    return found.flatMap { Self.median($0.values) }
  }

  /// The values of a metric over time, or nil if there are none.
  func series(_ metric: String, percentile: Double? = nil) -> ReportSeries? {
    series.first {
      $0.figure.metric == metric && $0.figure.percentile == percentile && $0.figure.labels.isEmpty
    }?.series
  }

  /// The values of a metric over time for each value of a label, in the order of the file.
  func series(_ metric: String, by label: String) -> [(name: String, series: ReportSeries)] {
    series.compactMap { figure, series in
      guard figure.metric == metric, let name = CSVRow.labels(of: figure.labels)[label] else {
        return nil
      }
      return (name, series)
    }
  }

  /// Whether it was ended before its time; a program that says nothing about it ran to its end.
  var isStopped: Bool {
    totals.contains { $0.figure.metric == "complete" && $0.values.contains(0) }
  }

  /// The text that a metric's label holds, such as that of `verdict`.
  func text(_ metric: String) -> String? {
    let found = totals.first { $0.figure.metric == metric }
    return found.flatMap { CSVRow.labels(of: $0.figure.labels)[metric] }
  }

  /// The value in the middle, or the mean of the two there; nil if there is none.
  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Values over time, in bounded memory: where there are too many, neighbours become one.
struct ReportSeries: Sendable, Hashable {
  private struct Group: Sendable, Hashable {
    var time: Double
    var sum: Double
    var most: Double
    var count: Int
  }

  private let limit: Int
  private var groups: [Group] = []
  /// How many values become one.
  private var size = 1

  /// Creates a series.
  ///
  /// - Parameter limit: How many points are kept: an even number.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds a value.
  mutating func add(_ value: Double, at time: Double) {
    if let last = groups.last, last.count < size {
      groups[groups.count - 1] = Group(
        time: time, sum: last.sum + value, most: max(last.most, value), count: last.count + 1)
      return
    }
    if groups.count == limit { merge() }
    groups.append(Group(time: time, sum: value, most: value, count: 1))
  }

  private mutating func merge() {
    for index in 0..<limit / 2 {
      let (first, second) = (groups[2 * index], groups[2 * index + 1])
      groups[index] = Group(
        time: second.time, sum: first.sum + second.sum, most: max(first.most, second.most),
        count: first.count + second.count)
    }
    groups.removeSubrange(limit / 2..<limit)
    size *= 2
  }

  /// The means in the order of time.
  var means: [Chart.Point] {
    groups.map { Chart.Point($0.time, $0.sum / Double($0.count)) }.sorted { $0.x < $1.x }
  }

  /// The greatest values in the order of time: of latencies a mean would hide what is bad.
  var greatest: [Chart.Point] {
    groups.map { Chart.Point($0.time, $0.most) }.sorted { $0.x < $1.x }
  }
}

/// Which value it is: everything of a row but its run, its time and the value.
struct ReportFigure: Hashable, Sendable {
  var suite: String
  var name: String
  /// As in the file: `key=value;key=value`.
  var labels: String
  var metric: String
  var percentile: Double?
  var unit: String
}

extension ReportFigure {
  /// Takes what a row is about.
  init(_ row: CSVRow) {
    self.init(
      suite: row.suite.rawValue, name: row.name, labels: row.labelText, metric: row.metric,
      percentile: row.percentile.flatMap { Double($0.description) }, unit: row.unit.rawValue)
  }

  /// The value with its unit, in few digits.
  func text(_ value: Double) -> String {
    switch unit {
    case "s": ChartUnit.seconds.text(value)
    case "B": ChartUnit.bytes.text(value)
    case "1/s": ChartUnit.perSecond.text(value)
    default: ChartUnit.plain.text(value)
    }
  }

  /// The metric with its percentile and labels, such as `latency p99 (scene=connected)`.
  var title: String {
    let percentile = percentile.map { " p\(ChartUnit.decimal($0, places: 4))" } ?? ""
    return metric + percentile + (labels.isEmpty ? "" : " (\(labels))")
  }

  /// Whether more is better: true, false, or nil where it is neither good nor bad.
  var moreIsBetter: Bool? {
    switch metric {
    case "events_sent_per_second", "events_delivered_per_second", "requests_per_second",
      "hit_rate":
      true
    case "latency", "errors", "violations", "resident", "allocated", "lost", "duplicated",
      "reordered":
      false
    case _ where metric.hasPrefix("bytes_per_") || metric.hasPrefix("allocations_per_"): false
    case _ where suite == "bench": unit == "1/s" ? true : unit == "s" || unit == "B" ? false : nil
    default: nil
    }
  }
}
