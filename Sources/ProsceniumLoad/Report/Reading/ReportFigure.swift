// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts

/// Which value it is: everything of a row but its run, its time and the value.
struct ReportFigure: Hashable, Sendable {
  var suite: String
  var name: String
  /// As in the file: `key=value;key=value`.
  var labels: String
  var metric: String
  var percentile: Double?
  var unit: String

  /// Takes what a row is about.
  init(_ row: CSVRow) {
    self.init(
      suite: row.suite.rawValue, name: row.name, labels: row.labelText, metric: row.metric,
      percentile: row.percentile.flatMap { Double($0.description) }, unit: row.unit.rawValue)
  }

  init(
    suite: String, name: String, labels: String, metric: String, percentile: Double?, unit: String
  ) {
    self.suite = suite
    self.name = name
    self.labels = labels
    self.metric = metric
    self.percentile = percentile
    self.unit = unit
  }

  /// The value with its unit, in few digits.
  func text(_ value: Double) -> String {
    switch unit {
    case "s": ChartUnit.seconds.text(value)
    case "B": ChartUnit.bytes.text(value)
    case "B/s": ChartUnit.bytes.text(value) + "/s"
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
