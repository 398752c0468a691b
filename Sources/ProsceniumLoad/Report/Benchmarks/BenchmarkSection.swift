// SPDX-License-Identifier: Apache-2.0

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
