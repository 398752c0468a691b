// SPDX-License-Identifier: Apache-2.0

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
      } else if let time = row.time.flatMap({ Double($0.description) }) {
        let known = series.firstIndex { $0.figure == figure }
        add(value, at: time, toSeries: known ?? addSeries(figure, limit: 1_024))
      } else {
        add(value, toTotal: addTotal(figure))
      }
    }
  }

  /// How many values of one figure are kept.
  static let repetitionLimit = 256

  mutating func addTotal(_ figure: ReportFigure) -> Int {
    totals.append((figure, []))
    return totals.count - 1
  }

  mutating func addSeries(_ figure: ReportFigure, limit: Int) -> Int {
    series.append((figure, ReportSeries(limit: limit)))
    return series.count - 1
  }

  mutating func add(_ value: Double, toTotal index: Int) {
    if totals[index].values.count < Self.repetitionLimit { totals[index].values.append(value) }
  }

  mutating func add(_ value: Double, at time: Double, toSeries index: Int) {
    series[index].series.add(value, at: time)
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
