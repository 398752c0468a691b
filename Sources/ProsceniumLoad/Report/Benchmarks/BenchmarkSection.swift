// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumCharts

/// The part of a page that draws a run of benchmarks: for each suite its bars and its table.
struct BenchmarkSection {
  private let tables: BenchmarkTables

  init(_ run: ReportRun) {
    tables = BenchmarkTables(run)
  }

  var html: String {
    let legend = """
      <p>Blue is the runtime, grey what the machine allows, orange another platform; every step of \
      a bar's scale is ten times the one before. In the tables × says how many times better the \
      runtime is than the platform.</p>

      """
    return legend + tables.suites.map { suite(of: $0) }.joined()
  }

  private func suite(of name: String) -> String {
    let (head, rows) = tables.table(of: name)
    let figures = tables.figures(of: name)
    let rivals = Set(figures.flatMap(\.entries).flatMap { $0.ratios.keys })
    let bars = figures.map { BenchmarkBars($0, rivals: rivals).html }.joined()
    let heads = head.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }
    let lines = rows.map { row in
      "<tr><th scope=\"row\">\(HTMLText.escaped(row[0]))</th>"
        + row.dropFirst().map { "<td>\(HTMLText.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    return """
      <h3>\(HTMLText.escaped(name))</h3>
      \(bars.isEmpty ? "" : "<div class=\"charts\">\(bars)</div>")
      <div class="wide"><table><thead><tr>\(heads.joined())</tr></thead>
      <tbody>\(lines.joined())</tbody></table></div>

      """
  }
}

/// The figures of one contest as bars, on a scale where each step is ten times the one before.
struct BenchmarkBars {
  private static let width = 560.0, labelWidth = 150.0, valueWidth = 90.0, rowHeight = 26.0

  private let figures: BenchmarkFigures
  private let rivals: Set<String>

  /// Takes a contest.
  ///
  /// - Parameters:
  ///   - figures: The contest.
  ///   - rivals: Those of its suite.
  init(_ figures: BenchmarkFigures, rivals: Set<String>) {
    (self.figures, self.rivals) = (figures, rivals)
  }

  /// The bars as a figure; empty if there is nothing to compare.
  var html: String {
    let entries = figures.entries.filter { $0.value > 0 }
    guard entries.count > 1, let least = entries.map(\.value).min(),
      let most = entries.map(\.value).max()
    else { return "" }
    let title = HTMLText.escaped(figures.contest.replacing("_", with: " ") + figures.sizeText)
    let description = entries.map { "\($0.by) \($0.text)" }.joined(separator: ", ")
    let bars = entries.enumerated().map { row, entry in
      bar(entry, row: row, share: Self.share(entry.value, least: least, most: most))
    }
    let height = Self.rowHeight * Double(entries.count)
    return """
      <figure class="chart"><h3>\(title)</h3><p>\(meaning)</p>
      <svg class="bars" role="img" viewBox="0 0 \(Int(Self.width)) \(Int(height))" \
      aria-label="\(HTMLText.escaped(description))">\(bars.joined())</svg></figure>

      """
  }

  private var meaning: String {
    switch figures.entries.first?.unit {
    case "1/s": "operations a second; a longer bar is better"
    case "s": "a shorter bar is better"
    default: "bytes for each; a shorter bar is better"
    }
  }

  /// Half a decade of the scale lies before the least value, so that it has a bar as well.
  private static func share(_ value: Double, least: Double, most: Double) -> Double {
    let begin = log10(least) - 0.5
    return (log10(value) - begin) / (log10(most) - begin)
  }

  private func bar(_ entry: BenchmarkFigures.Entry, row: Int, share: Double) -> String {
    let middle = Self.rowHeight * Double(row) + Self.rowHeight / 2
    let length = (Self.width - Self.labelWidth - Self.valueWidth) * share
    let kind = entry.by == "floor" ? "floor" : rivals.contains(entry.by) ? "rival" : "own"
    let name = HTMLText.escaped(entry.by.replacing("_", with: " "))
    let (x, end) = (Self.text(Self.labelWidth), Self.text(Self.labelWidth + length + 6))
    return """
      <text x="0" y="\(Self.text(middle + 4))">\(name)</text>\
      <rect class="\(kind)" x="\(x)" y="\(Self.text(middle - 8))" width="\(Self.text(length))" \
      height="16" rx="2"/><text x="\(end)" y="\(Self.text(middle + 4))">\(entry.text)</text>
      """
  }

  private static func text(_ number: Double) -> String { NumberText.fixed(number, places: 1) }
}
