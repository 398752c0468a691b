// SPDX-License-Identifier: Apache-2.0

import ProsceniumCharts
import ProsceniumPrimitives

/// The charts of a load test, of one run or of several.
struct ReportCharts {
  private let run: ReportRun
  private let number: Int

  init(_ run: ReportRun, number: Int) {
    (self.run, self.number) = (run, number)
  }

  private static let time = ChartAxis("time since counting began", .moment)

  /// The charts that the run has values for.
  var all: [Chart] {
    [
      throughput, latency, percentiles,
      ofNodes(
        "nodes", "Slices of each node",
        "How many slices of the sessions each node served, and when nodes were struck.",
        ChartAxis("slices", .plain), "node_slices"),
      ofNodes(
        "attached", "Clients of each node", "How many clients each node of the cluster had.",
        ChartAxis("clients", .plain), "clients_attached"),
      overTime(
        "scenes", "Scenes connected", "How many scenes were in memory.",
        ChartAxis("scenes", .plain), [("connected", "scenes_connected")]),
      overTime(
        "memory", "Memory", "What the allocator had, and what was in use of it.",
        ChartAxis("memory", .bytes),
        ["resident", "allocated", "active", "retained"].map { ($0, $0) }),
      overTime(
        "changes", "What happened to scenes",
        "Scenes that were connected and disconnected, and sessions that were discarded.",
        ChartAxis("a second", .perSecond),
        [
          ("connected", "connects_per_second"), ("disconnected", "disconnects_per_second"),
          ("discarded", "discards_per_second"),
        ]),
      overTime(
        "saved", "States captured",
        "How many saved states had changed when they were captured.",
        ChartAxis("states", .perSecond), [("captured", "captures_per_second")]),
    ].filter { !$0.lines.isEmpty }
  }

  private func overTime(
    _ name: String, _ title: String, _ summary: String, _ vertical: ChartAxis,
    _ metrics: [(name: String, metric: String)]
  ) -> Chart {
    Chart(
      id(name), title: title, summary: summary, horizontal: Self.time, vertical: vertical,
      lines: metrics.compactMap { name, metric in
        run.series(metric).map { Chart.Line(name, $0.means) }
      })
  }

  private var throughput: Chart {
    var chart = overTime(
      "throughput", "Events a second",
      "How many events were sent and delivered, and when faults were injected.",
      ChartAxis("events", .perSecond),
      [("sent", "events_sent_per_second"), ("delivered", "events_delivered_per_second")])
    if let intended = run.total("events_intended_per_second"),
      let points = chart.lines.first?.points, let first = points.first, let last = points.last
    {
      chart.lines.append(
        Chart.Line("intended", [.init(first.x, intended), .init(last.x, intended)]))
    }
    chart.strip = faults
    return chart
  }

  private var faults: Chart.Line? {
    run.series("faults_per_second").map { Chart.Line("faults", $0.means) }
  }

  private var latency: Chart {
    Chart(
      id("latency"), title: "Latency",
      summary: "From the moment in which an event was due to its delivery, on a logarithmic scale.",
      horizontal: Self.time, vertical: ChartAxis("latency", .seconds, .logarithmic),
      lines: [50.0, 99, 99.9].compactMap { percentile in
        run.series("latency", percentile: percentile).map {
          Chart.Line("p\(ChartUnit.decimal(percentile, places: 1))", $0.greatest)
        }
      },
      strip: faults)
  }

  private func ofNodes(
    _ name: String, _ title: String, _ summary: String, _ vertical: ChartAxis, _ metric: String
  ) -> Chart {
    Chart(
      id(name), title: title, summary: summary, horizontal: Self.time, vertical: vertical,
      lines: run.series(metric, by: "node").map { Chart.Line($0.name, $0.series.means) },
      strip: faults)
  }

  private var percentiles: Chart {
    Chart(
      id("percentiles"), title: "Latency by percentile",
      summary: "How long the slowest events took: each step to the right is ten times as rare.",
      horizontal: ChartAxis("percentile", .plain, .nines),
      vertical: ChartAxis("latency", .seconds, .logarithmic),
      lines: [
        ("all", ""), ("to connected scenes", "scene=connected"),
        ("waiting for their scene", "scene=reconnecting"), ("durable", "message=durable"),
      ].compactMap { name, labels in Self.percentileLine(run, name, labels) })
  }

  // MARK: - Several runs

  /// The same figures of several runs, each as one line.
  static func together(_ runs: [ReportRun]) -> [Chart] {
    func lines(_ make: (ReportRun) -> [Chart.Point]?) -> [Chart.Line] {
      runs.compactMap { run in make(run).map { Chart.Line("\(run.name) \(run.id)", $0) } }
    }
    let percentiles = runs.compactMap { percentileLine($0, "\($0.name) \($0.id)", "") }
    return [
      Chart(
        "all-throughput", title: "Events a second",
        summary: "How many events each run delivered.", horizontal: time,
        vertical: ChartAxis("events", .perSecond),
        lines: lines { $0.series("events_delivered_per_second")?.means }),
      Chart(
        "all-percentiles", title: "Latency by percentile",
        summary: "How long events took in each run.",
        horizontal: ChartAxis("percentile", .plain, .nines),
        vertical: ChartAxis("latency", .seconds, .logarithmic), lines: percentiles),
    ].filter { !$0.lines.isEmpty }
  }

  private static func percentileLine(
    _ run: ReportRun, _ name: String, _ labels: String
  ) -> Chart.Line? {
    let points = run.totals.compactMap { total -> Chart.Point? in
      guard total.figure.metric == "latency", total.figure.labels == labels,
        let percentile = total.figure.percentile, let value = ReportRun.median(total.values)
      else { return nil }
      return Chart.Point(percentile, value)
    }
    return points.isEmpty ? nil : Chart.Line(name, points.sorted { $0.x < $1.x })
  }

  private func id(_ name: String) -> String { "run\(number)-\(name)" }
}
