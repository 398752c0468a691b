// SPDX-License-Identifier: Apache-2.0

/// A figure of a summary: what it is called in the table for people, and in the CSV.
package struct SummaryFigure {
  /// The name for people; nil where it is not shown to them.
  let title: String?
  /// The name for programs; nil where it is not in the CSV.
  let metric: String?
  /// The value; nil where nothing was measured, and the figure is left out.
  let value: Double?
  let unit: CSVRow.Unit
  /// The value for people.
  let text: String

  package init(
    _ title: String?, _ metric: String?, _ value: Double?, _ unit: CSVRow.Unit = .one,
    text: String? = nil
  ) {
    self.title = title
    self.metric = metric
    self.value = value
    self.unit = unit
    self.text = text ?? value.map { Self.text($0, unit) } ?? ""
  }

  package init(_ title: String?, _ metric: String?, _ count: Int) {
    self.init(title, metric, Double(count))
  }

  private static func text(_ value: Double, _ unit: CSVRow.Unit) -> String {
    switch unit {
    case .one: NumberText.grouped(Int(value.rounded()))
    case .seconds: NumberText.fixed(value, places: 2) + " s"
    case .bytes: NumberText.bytes(Int(value))
    case .perSecond: NumberText.grouped(Int(value.rounded())) + " /s"
    }
  }
}

extension [SummaryFigure] {
  /// The figures for people.
  package var table: TextTable {
    var table = TextTable([.left, .right])
    for figure in self where figure.value != nil {
      if let title = figure.title { table.add(title, figure.text) }
    }
    return table
  }

  /// The figures as totals in the CSV.
  package func rows(_ suite: CSVRow.Suite, name: String) -> [CSVRow] {
    compactMap { figure in
      figure.metric.flatMap {
        CSVRow(suite, name: name, metric: $0, measured: figure.value, unit: figure.unit)
      }
    }
  }
}
