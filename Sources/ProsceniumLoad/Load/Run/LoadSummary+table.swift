// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation

// The results as tables for people.
extension LoadSummary {
  /// The tables.
  public var text: String {
    (isInterrupted ? "stopped early: what follows is about what ran until then\n" : "")
      + figures.description + "\n" + percentiles.description
  }

  private var figures: TextTable {
    var table = TextTable([.left, .right])
    table.add("duration", NumberText.fixed(seconds, places: 1) + " s")
    table.add("events accepted", NumberText.grouped(sent))
    table.add("events delivered", NumberText.grouped(latencies.count))
    table.add("rate", NumberText.grouped(Int(rate.rounded())) + " /s")
    if let intendedRate {
      table.add("rate intended", NumberText.grouped(Int(intendedRate.rounded())) + " /s")
      if rate < intendedRate * 0.99 {
        table.add(
          "rate missed", NumberText.fixed(100 - 100 * rate / intendedRate, places: 1) + " %")
      }
    }
    if intendedRate != nil { table.add("sent over 1 ms late", NumberText.grouped(late)) }
    for (kind, count) in faults.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      table.add("injected: \(kind)", NumberText.grouped(count))
    }
    if missedFaults > 0 { table.add("injected: found nothing", NumberText.grouped(missedFaults)) }
    if refusedFaults > 0 { table.add("injected: refused", NumberText.grouped(refusedFaults)) }
    table.add("sent again, as it was busy", NumberText.grouped(busy))
    table.add("errors", NumberText.grouped(errors))
    if let last = samples.last {
      table.add("scenes connected", NumberText.grouped(last.connected))
    }
    if resident > 0 { table.add("resident at most", NumberText.bytes(resident)) }
    if let memoryGrowth {
      table.add(
        "allocated, last against second sixth", "×" + NumberText.fixed(memoryGrowth, places: 3))
    }
    addCosts(to: &table)
    table.add("processors at work", NumberText.fixed(processors, places: 2))
    if let generatorShare {
      table.add(
        "of it the generator",
        NumberText.fixed(100 * generatorShare, places: 1) + " %, "
          + NumberText.duration(generatorTime) + " an event")
    }
    return table
  }

  private func addCosts(to table: inout TextTable) {
    func add(_ name: String, _ allocations: Double?, _ bytes: Double?) {
      guard let allocations, let bytes else { return }
      table.add(
        "allocated \(name)",
        NumberText.fixed(allocations, places: 1) + " times, " + NumberText.bytes(Int(bytes)))
    }
    add("an event", costs.allocationsPerEvent, costs.bytesPerEvent)
    if let bytes = costs.bytesPerConnectedScene {
      table.add("in use a connected scene", NumberText.bytes(Int(bytes)))
    }
  }

  private var percentiles: TextTable {
    var columns = [
      ("all", latencies.all), ("connected", latencies.direct),
      ("reconnecting", latencies.reconnecting),
    ]
    if let floor { columns.append(("floor", floor)) }
    var table = TextTable([.left] + columns.map { _ in .right })
    table.add(row: ["latency"] + columns.map(\.0))
    for (name, share) in [
      ("p50", 50.0), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("p99.99", 99.99),
      ("longest", 100),
    ] {
      table.add(row: [name] + columns.map { Self.time($0.1, share) })
    }
    return table
  }

  private static func time(_ histogram: LatencyHistogram, _ percentile: Double) -> String {
    guard histogram.count > 0 else { return "-" }
    return NumberText.duration(Double(histogram.quantile(percentile / 100)) / 1e9)
  }
}
