// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

@Suite struct ReportTests {
  /// The rows of a run with a rate and a latency.
  private func rows(rate: Double, latency: Double, errors: Int = 0) throws -> [CSVRow] {
    let seconds = try (1...5).flatMap { second in
      [
        CSVRow(
          .load, name: "browse", time: CSVNumber(second), metric: "events_sent_per_second",
          value: try #require(CSVNumber(rate)), unit: .perSecond),
        CSVRow(
          .load, name: "browse", time: CSVNumber(second), metric: "latency",
          percentile: CSVNumber(99), value: try #require(CSVNumber(latency)), unit: .seconds),
        CSVRow(
          .load, name: "browse", time: CSVNumber(second), metric: "faults_per_second",
          value: CSVNumber(second % 2), unit: .perSecond),
      ]
    }
    let totals = [
      CSVRow(
        .load, name: "browse", metric: "events_sent_per_second",
        value: try #require(CSVNumber(rate)), unit: .perSecond),
      CSVRow(
        .load, name: "browse", metric: "latency", percentile: CSVNumber(99),
        value: try #require(CSVNumber(latency)), unit: .seconds),
      CSVRow(.load, name: "browse", metric: "errors", value: CSVNumber(errors)),
      CSVRow(
        .load, name: "browse", labels: ["verdict": "violated: <b>"], metric: "verdict", value: 0),
    ]
    return seconds + totals
  }

  private func comparison(_ first: [(Double, Double)], _ second: [(Double, Double)]) throws
    -> ReportComparison
  {
    func runs(_ values: [(Double, Double)], _ name: String) throws -> [ReportRun] {
      try values.enumerated().map { number, value in
        ReportRun(id: "\(name)\(number)", try rows(rate: value.0, latency: value.1))
      }
    }
    return ReportComparison([try runs(first, "a"), try runs(second, "b")])
  }

  @Test func `a page shows the verdict, the figures, the charts and the faults`() throws {
    let html = Report(run: "load-1", try rows(rate: 20_000, latency: 0.002)).html
    #expect(html.contains("violated: &lt;b&gt;") && !html.contains("<b>"))
    #expect(html.contains("<dd>20 k/s</dd>") && html.contains("<dd>2 ms</dd>"))
    #expect(html.contains("id=\"run0-throughput\"") && html.contains("id=\"run0-latency\""))
    #expect(html.contains("id=\"run0-percentiles\""))
    // Nothing was measured of it.
    #expect(!html.contains("id=\"run0-memory\""))
    #expect(html.contains("class=\"strip\" x="))
    for reference in ["http:", "https:", "src=", "@import", "<script"] {
      #expect(!html.contains(reference), "\(reference)")
    }
  }

  @Test func `a figure that became worse by more than a threshold is named`() throws {
    let compared = try comparison([(20_000, 0.002)], [(17_000, 0.002)])
    #expect(compared.worsened(by: 0.2).isEmpty)
    let found = compared.worsened(by: 0.1)
    #expect(found == ["browse: events_sent_per_second went from 20 k/s to 17 k/s"])
    let slower = try comparison([(20_000, 0.002)], [(20_000, 0.003)])
    #expect(slower.worsened(by: 0.49) == ["browse: latency p99 went from 2 ms to 3 ms"])
    #expect(slower.worsened(by: 0.51).isEmpty)
  }

  @Test func `what became better is not worse`() throws {
    let compared = try comparison([(20_000, 0.002)], [(40_000, 0.001)])
    #expect(compared.worsened(by: 0).isEmpty)
    #expect(compared.rows.first?.ratio == 2)
  }

  @Test func `what repeated runs differ by is no change`() throws {
    let compared = try comparison(
      [(20_000, 0.002), (20_000, 0.003), (20_000, 0.0025)], [(20_000, 0.003)])
    let latency = try #require(compared.rows.first { $0.figure.metric == "latency" })
    #expect(latency.values == [0.0025, 0.003])
    #expect(abs((latency.noise ?? 0) - 0.4) < 1e-9)
    #expect(compared.worsened(by: 0.1).isEmpty)
  }

  @Test func `errors where there were none are worse`() throws {
    let runs = [0, 3].map { errors in
      [
        ReportRun(
          id: "r", [CSVRow(.load, name: "n", metric: "errors", value: CSVNumber(errors))])
      ]
    }
    #expect(ReportComparison(runs).worsened(by: 10).count == 1)
    #expect(ReportComparison(runs.reversed()).worsened(by: 0).isEmpty)
  }

  /// A run that was ended by a signal, with the values that it had by then.
  private func stopped(_ id: String, rate: Double) throws -> ReportRun {
    ReportRun(
      id: id,
      try rows(rate: rate, latency: 0.001) + [
        CSVRow(.load, name: "browse", metric: "complete", value: 0)
      ])
  }

  @Test func `a run that was stopped early is said to be, and is not judged`() throws {
    let whole = ReportRun(id: "whole", try rows(rate: 20_000, latency: 0.002))
    for files in [
      [[whole], [try stopped("cut", rate: 10)]], [[try stopped("cut", rate: 10)], [whole]],
    ] {
      let comparison = ReportComparison(files)
      #expect(comparison.worsened(by: 0).isEmpty)
      #expect(comparison.rows.allSatisfy { $0.ratio == nil })
      #expect(comparison.columns.contains { $0.hasSuffix(" (stopped early)") })
      #expect(comparison.text.contains(" (stopped early)"))
    }
    let html = Report(
      run: "load-1",
      [
        CSVRow(.load, name: "browse", metric: "complete", value: 0)
      ]
    ).html
    #expect(html.contains("class=\"verdict violated\">stopped early"))
  }

  @Test func `a run that was stopped early is left out where there are whole ones`() throws {
    let runs = try [20_000, 22_000].map {
      ReportRun(id: "\($0)", try rows(rate: $0, latency: 0.001))
    }
    let comparison = ReportComparison([runs, runs + [try stopped("cut", rate: 10)]])
    let rate = try #require(comparison.rows.first)
    #expect(rate.values == [21_000, 21_000])
    #expect(rate.ratio == 1)
    #expect(!comparison.text.contains("stopped early"))
  }

  @Test func `runs of one file are shown side by side, the last of many`() throws {
    let runs = try (0..<20).map {
      ReportRun(id: "load-\($0)", try rows(rate: Double($0 + 1), latency: 0.001))
    }
    let comparison = ReportComparison([runs])
    #expect(comparison.columns == (12..<20).map { "load-\($0)" })
    #expect(comparison.rows.first?.values.count == 8)
  }
}
