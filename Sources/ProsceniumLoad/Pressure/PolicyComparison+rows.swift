// SPDX-License-Identifier: Apache-2.0

extension PolicyComparison {
  /// The comparison as rows of the CSV.
  ///
  /// The label `policy` has the policy's name, `scenes` how many scenes stay connected, and `idle`
  /// after how many seconds they are disconnected.
  ///
  /// - Parameter name: What the policies were compared on.
  /// - Returns: The rows.
  package func csvRows(name: String) -> [CSVRow] {
    var result = [
      ("events", events), ("sessions", sessions), ("malformed_lines", malformed),
    ].map { metric, count in
      CSVRow(.replay, name: name, metric: metric, value: CSVNumber(count))
    }
    for row in rows + [Row(name: Self.optimumName, hits: optimum)] {
      for (size, hits) in zip(sizes, row.hits) {
        let labels = ["policy": row.name, "scenes": "\(size)"]
        result += hitRows(name, labels, hits)
      }
    }
    for row in idle {
      let labels = ["policy": "idle", "idle": "\(row.seconds)"]
      result += hitRows(name, labels, row.outcome.hits)
      result.append(
        CSVRow(
          .replay, name: name, labels: labels, metric: "mean_connected",
          value: CSVNumber(row.outcome.meanConnected) ?? 0))
    }
    return result
  }

  private func hitRows(_ name: String, _ labels: [String: String], _ hits: Int) -> [CSVRow] {
    [
      CSVRow(.replay, name: name, labels: labels, metric: "hits", value: CSVNumber(hits)),
      CSVRow(
        .replay, name: name, labels: labels, metric: "misses", value: CSVNumber(events - hits)),
      CSVRow(
        .replay, name: name, labels: labels, metric: "hit_rate",
        value: CSVNumber(rate(hits) / 100) ?? 0),
    ]
  }
}
