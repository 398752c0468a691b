// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts

/// Writes a ``Report`` as a page.
struct ReportPage {
  let report: Report

  init(_ report: Report) {
    self.report = report
  }

  var html: String {
    let runs = shown
    let title = Self.title(runs)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <link rel="icon" href="data:,">
      <title>\(HTMLText.escaped(title))</title>
      <style>
      \(Chart.style)
      \(Self.style)
      </style>
      </head>
      <body>
      <header><h1>\(HTMLText.escaped(title))</h1>
      \(contents(runs))</header>
      <main>
      \(overview(runs))\(comparison(runs))\
      \(runs.enumerated().map { ReportRunSection($1, number: $0).html }.joined())
      </main>
      </body>
      </html>
      """
  }

  /// The runs that have a section: the last ones of each file.
  private var shown: [ReportRun] {
    let each = max(1, Report.runLimit / max(report.files.count, 1))
    return Array(report.files.flatMap { $0.suffix(each) }.prefix(Report.runLimit))
  }

  private static func title(_ runs: [ReportRun]) -> String {
    let names = runs.map(\.title).reduce(into: [String]()) { names, name in
      if !names.contains(name) { names.append(name) }
    }
    return "Proscenium: " + names.prefix(4).joined(separator: ", ")
      + (names.count > 4 ? " and \(names.count - 4) more" : "")
  }

  private func contents(_ runs: [ReportRun]) -> String {
    guard runs.count > 1 else { return "" }
    let items = runs.enumerated().map { number, run in
      "<li><a href=\"#run\(number)\">\(HTMLText.escaped(run.id))</a></li>"
    }
    let rest = report.runCount - runs.count
    let more = rest > 0 ? "<li>\(NumberText.grouped(rest)) more in the files</li>" : ""
    return "<nav aria-label=\"Runs\"><ul>\(items.joined())\(more)</ul></nav>\n"
  }

  /// The charts of several runs in one.
  private func overview(_ runs: [ReportRun]) -> String {
    let loads = runs.filter { $0.suites.contains("load") }
    guard loads.count > 1 else { return "" }
    return """
      <section aria-labelledby="together"><h2 id="together">The runs together</h2>
      <div class="charts">
      \(ReportCharts.together(loads).map(\.html).joined())</div></section>

      """
  }

  private func comparison(_ runs: [ReportRun]) -> String {
    let comparison = report.comparison
    guard comparison.columns.count > 1, !comparison.rows.isEmpty else { return "" }
    let heads = comparison.columns.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }
    let names = Set(comparison.rows.map(\.figure.name))
    let rows = comparison.rows.prefix(1_000).map { row in
      let name = names.count > 1 ? row.figure.name + ": " : ""
      let values = row.values.map { "<td>\($0.map { row.figure.text($0) } ?? "")</td>" }
      let worse = row.worsening > max(0.05, row.noise ?? 0) ? " class=\"worse\"" : ""
      return "<tr><th scope=\"row\">\(HTMLText.escaped(name + row.figure.title))</th>"
        + values.joined()
        + "<td\(worse)>\(ReportComparison.ratio(row.ratio))</td>"
        + "<td>\(ReportComparison.noise(row.noise))</td></tr>\n"
    }
    return """
      <section aria-labelledby="compared"><h2 id="compared">Side by side</h2>
      <p>The ratio is the last column for each unit of the first one. The noise is how far \
      repeated runs of one column lie apart; without repetitions nobody knows it.</p>
      <div class="wide"><table><thead><tr><th scope="col">figure</th>\(heads.joined())\
      <th scope="col">ratio</th><th scope="col">noise</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div></section>

      """
  }

  private static let style = """
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 1500px; padding: 1rem; color: var(--ink);
      background: var(--paper); font: 16px/1.45 system-ui, sans-serif; }
    h1 { font-size: 1.5rem; margin: .5rem 0; } h2 { font-size: 1.2rem; margin: 1.6rem 0 .5rem; }
    a { color: var(--s0); } nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1rem; padding: 0;
      margin: 0; list-style: none; }
    .charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit,
      minmax(min(100%, 560px), 1fr)); }
    .cards { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit,
      minmax(150px, 1fr)); margin: .5rem 0 1rem; padding: 0; }
    .cards div { background: var(--card); border-radius: 8px; padding: .6rem .8rem; min-width: 0; }
    .cards dt { color: var(--soft); font-size: .8125rem; }
    .cards dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums;
      overflow-wrap: anywhere; }
    .verdict { font-weight: 600; overflow-wrap: anywhere; } .held { color: var(--good); }
    .violated, .worse { color: var(--bad); }
    .wide { overflow-x: auto; } main table { border-collapse: collapse; font-size: .875rem;
      font-variant-numeric: tabular-nums; }
    main th, main td { padding: .2rem .7rem; text-align: right;
      border-bottom: 1px solid var(--rule); }
    main th[scope="row"], main th:first-child { text-align: left; font-weight: 400; }
    .circumstances { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
    """
}
