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
      repeated runs of one column lie apart; without repetitions it is not known.</p>
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

/// The part of a page that is about one run.
struct ReportRunSection {
  private let run: ReportRun
  private let number: Int

  init(_ run: ReportRun, number: Int) {
    (self.run, self.number) = (run, number)
  }

  var html: String {
    let charts = run.suites.contains("load") ? ReportCharts(run, number: number).all : []
    let drawn =
      charts.isEmpty ? "" : "<div class=\"charts\">\n\(charts.map(\.html).joined())</div>\n"
    return """
      <section aria-labelledby="run\(number)">
      <h2 id="run\(number)">\(HTMLText.escaped("\(run.title), \(run.id)"))</h2>
      \(stop)\(verdict)\(circumstances)\(cards)\(drawn)\(benchmarks)\(figures)</section>

      """
  }

  private var benchmarks: String {
    run.suites.contains("bench") ? BenchmarkSection(run).html : ""
  }

  private var stop: String {
    guard run.isStopped else { return "" }
    return "<p class=\"verdict violated\">stopped early: what follows is about what ran until then"
      + "</p>\n"
  }

  private var verdict: String {
    guard let verdict = run.text("verdict") else { return "" }
    let kind = run.total("verdict", labels: label) == 1 ? "held" : "violated"
    return "<p class=\"verdict \(kind)\">\(kind == "held" ? "✓" : "✗") "
      + "\(HTMLText.escaped(verdict))</p>\n"
  }

  private var label: String {
    run.totals.first { $0.figure.metric == "verdict" }?.figure.labels ?? ""
  }

  private var circumstances: String {
    let known = ["machine", "commit", "flags", "seed"].compactMap { name in
      run.circumstances[name].map { "\(name): \($0)" }
    }
    let started = run.circumstances["started_at"].flatMap { Int64($0) }.map {
      "started: \(NumberText.time(secondsSince1970: $0))"
    }
    let all = (started.map { [$0] } ?? []) + known
    return all.isEmpty
      ? "" : "<p class=\"circumstances\">\(HTMLText.escaped(all.joined(separator: " · ")))</p>\n"
  }

  /// What a reader looks for first.
  private var cards: String {
    let wanted: [(String, ReportFigure?)] = [
      ("events a second", figure("events_sent_per_second")),
      ("intended", figure("events_intended_per_second")),
      ("p50", figure("latency", 50)), ("p99", figure("latency", 99)),
      ("p99.9", figure("latency", 99.9)), ("resident at most", figure("resident")),
      ("requests a second", figure("requests_per_second")), ("errors", figure("errors")),
    ]
    let cards = wanted.compactMap { title, figure -> String? in
      guard let figure,
        let value = run.total(figure.metric, percentile: figure.percentile, labels: figure.labels)
      else { return nil }
      return "<div><dt>\(title)</dt><dd>\(HTMLText.escaped(figure.text(value)))</dd></div>"
    }
    return cards.isEmpty ? "" : "<dl class=\"cards\">\(cards.joined())</dl>\n"
  }

  private func figure(_ metric: String, _ percentile: Double? = nil) -> ReportFigure? {
    run.totals.first {
      $0.figure.metric == metric && $0.figure.percentile == percentile && $0.figure.labels.isEmpty
    }?.figure
  }

  /// All totals, behind a button.
  private var figures: String {
    let names = Set(run.totals.map(\.figure.name))
    let rows = run.totals.prefix(2_000).map { total in
      let name = names.count > 1 ? total.figure.name + ": " : ""
      let value = ReportRun.median(total.values).map { total.figure.text($0) } ?? ""
      return "<tr><th scope=\"row\">\(HTMLText.escaped(name + total.figure.title))</th>"
        + "<td>\(HTMLText.escaped(value))</td></tr>\n"
    }
    guard !rows.isEmpty else { return "" }
    return """
      <details><summary>All figures</summary><div class="wide"><table><thead><tr>\
      <th scope="col">figure</th><th scope="col">value</th></tr></thead>
      <tbody>\(rows.joined())</tbody></table></div></details>

      """
  }
}

/// The part of a page that draws a run of benchmarks: for each suite its bars and its table.
struct BenchmarkSection {
  private let tables: BenchmarkTables

  init(_ run: ReportRun) {
    tables = BenchmarkTables(run)
  }

  var html: String {
    let legend = "<p>× says how many times better the runtime is than a platform.</p>\n"
    return legend + tables.suites.map { suite(of: $0) }.joined()
  }

  private func suite(of name: String) -> String {
    let (head, rows) = tables.table(of: name)
    let heads = head.map { "<th scope=\"col\">\(HTMLText.escaped($0))</th>" }
    let lines = rows.map { row in
      "<tr><th scope=\"row\">\(HTMLText.escaped(row[0]))</th>"
        + row.dropFirst().map { "<td>\(HTMLText.escaped($0))</td>" }.joined() + "</tr>\n"
    }
    return """
      <h3>\(HTMLText.escaped(name))</h3>
      <div class="wide"><table><thead><tr>\(heads.joined())</tr></thead>
      <tbody>\(lines.joined())</tbody></table></div>

      """
  }
}
