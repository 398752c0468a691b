// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts

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
