// SPDX-License-Identifier: Apache-2.0

/// The latencies of one kind of events: a column of the table for people, and totals of the CSV.
package struct LatencyColumn: Sendable {
  fileprivate let title: String
  fileprivate let labels: [String: String]
  fileprivate let histogram: LatencyHistogram

  package init(_ title: String, _ labels: [String: String], _ histogram: LatencyHistogram) {
    self.title = title
    self.labels = labels
    self.histogram = histogram
  }
}

extension [LatencyColumn] {
  /// The table for people.
  ///
  /// - Parameter highest: The highest percentile before the longest span.
  /// - Returns: The table.
  package func table(to highest: Double = 99.9) -> TextTable {
    var table = TextTable([.left] + map { _ in .right })
    table.add(row: ["latency"] + map(\.title))
    for (name, percentile) in [
      ("p50", 50.0), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("p99.99", 99.99),
    ] where percentile <= highest {
      table.add(row: [name] + map { $0.histogram.text(percentile) })
    }
    table.add(row: ["longest"] + map { $0.histogram.text(100) })
    return table
  }

  /// The totals in the CSV.
  package func rows(name: String) -> [CSVRow] {
    flatMap {
      CSVRow.latencies(
        of: name, $0.histogram, [50, 75, 90, 95, 99, 99.9, 99.99, 100], labels: $0.labels)
    }
  }
}

extension LatencyHistogram {
  /// A percentile for people; a line where no span was recorded.
  package func text(_ percentile: Double) -> String {
    count == 0 ? "-" : NumberText.duration(Double(quantile(percentile / 100)) / 1e9)
  }
}

extension CSVRow {
  /// Percentiles of latencies; none where no span was recorded.
  package static func latencies(
    of name: String, _ histogram: LatencyHistogram, _ percentiles: [Double] = [50, 99, 99.9],
    time: CSVNumber? = nil, labels: [String: String] = [:]
  ) -> [CSVRow] {
    histogram.count == 0
      ? []
      : percentiles.compactMap { percentile in
        CSVRow(
          .load, name: name, labels: labels, time: time, metric: "latency", percentile: percentile,
          measured: Double(histogram.quantile(percentile / 100)) / 1e9, unit: .seconds)
      }
  }

  /// The verdict of a load test: 1 if everything held, and the sentence in its label.
  package static func verdict(of name: String, _ sentence: String, isHeld: Bool) -> CSVRow {
    CSVRow(
      .load, name: name, labels: ["verdict": sentence], metric: "verdict", value: isHeld ? 1 : 0)
  }
}
