// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad

/// The tables of `proscenium measure routing`.
struct RoutingText: Sendable {
  let batch: Int

  private let columns = TextColumns(widths: [-35, 8, 13, 12, 12, 11, 7, 13])

  /// The heads of the columns of ``decisions(_:)``.
  var header: String {
    columns.row(
      "", "threads", "decisions", "ns each", "ns of cpu", "of floor", "cores", "allocations")
  }

  /// The results of one workload and one number of sessions.
  func decisions(_ results: [RoutingResult]) -> String {
    guard let first = results.first else { return "" }
    let title = "\n\(first.workload); \(NumberText.grouped(first.sessions)) sessions\n"
    return results.reduce(title) { text, result in
      text
        + columns.row(
          "  " + name(result.way), "\(result.threads)", NumberText.rate(result.measurement.rate),
          span(result.nanoseconds), span(result.processorNanoseconds), share(result, results),
          NumberText.fixed(result.measurement.processors, places: 2),
          result.measurement.allocations.map { NumberText.fixed($0, places: 3) } ?? "unknown")
    }
  }

  /// Everything that is known only at the end.
  func closing(_ report: RoutingReport) -> String {
    growth(report.growth) + latencies(report) + memory(report.memory)
  }

  private func growth(_ growth: [RoutingGrowth]) -> String {
    guard let first = growth.first else { return "" }
    var table = TextTable([.left, .left, .right, .right, .right], indent: 2)
    table.add("", "", "router", "floor", "quotient")
    for row in growth {
      table.add(
        row.workload, name(row.way), times(row.factor), times(row.floorFactor),
        times(row.quotient))
    }
    let sessions = [first.sessions.from, first.sessions.to].map(NumberText.grouped)
    return "\ntime of a decision, \(sessions[1]) sessions against \(sessions[0])\n\(table)"
  }

  private func latencies(_ report: RoutingReport) -> String {
    guard let first = report.latencies.first else { return "" }
    var table = TextTable([.left] + Array(repeating: .right, count: 7), indent: 2)
    table.add("third thread", "decisions", "changes", "p50", "p99", "p99.9", "max", "")
    for latency in report.latencies {
      let name =
        switch latency.writer {
        case .absent: "none"
        case .idle: "busy without changes"
        case .changing: "changes exact conditions"
        }
      let spans = [0.5, 0.99, 0.999, 1].map { NumberText.grouped(latency.times.quantile($0)) }
      table.add(
        name, NumberText.rate(Double(latency.times.count) / latency.seconds),
        NumberText.rate(Double(latency.changes) / latency.seconds), spans[0], spans[1], spans[2],
        spans[3], "ns")
    }
    return """

      single decisions of 2 threads, exact; \(NumberText.grouped(first.sessions)) sessions
      \(table)\
        Each includes a reading of the clock, \(report.clockReading) ns. What a busy third thread
        does to the others is the scheduler's doing; what changes add to that is the router's.

      """
  }

  private func memory(_ costs: [MemoryCost]) -> String {
    guard let first = costs.first else { return "\n" }
    var table = TextTable([.left, .right], indent: 2)
    for cost in costs { table.add(cost.name, NumberText.fixed(cost.bytes, places: 1) + " B") }
    return "\nmemory; \(NumberText.grouped(first.count)) sessions\n\(table)\n"
  }

  private func name(_ way: RoutingResult.Way) -> String {
    switch way {
    case .router: "router"
    case .application: "application"
    case .applicationBatched: "application, batches of \(batch)"
    case .routerBatched: "router, batches of \(batch)"
    case .routerChanging: "router, a change per 19 decisions"
    case .floor: "floor: hash table in C"
    case .floorPrefetching: "floor, prefetching"
    case .scan: "naive scan"
    }
  }

  /// How fast a result is in comparison with its floor on as many threads.
  private func share(_ result: RoutingResult, _ results: [RoutingResult]) -> String {
    let floor = results.first { $0.way == result.way.floor && $0.threads == result.threads }
    guard let floor else { return "" }
    let percent = 100 * result.measurement.rate / floor.measurement.rate
    if percent < 0.01 { return "< 0.01 %" }
    return NumberText.fixed(percent, places: percent < 1 ? 2 : 1) + " %"
  }

  private func span(_ nanoseconds: Double) -> String {
    nanoseconds < 1_000
      ? NumberText.fixed(nanoseconds, places: 1) : NumberText.grouped(Int(nanoseconds))
  }

  private func times(_ factor: Double) -> String { "× " + NumberText.fixed(factor, places: 2) }
}
