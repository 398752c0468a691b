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

// The results as rows of the CSV.
extension LoadSummary {
  private static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9, 99.99, 100]

  /// The time series, the summary and the latency histogram.
  public var rows: [CSVRow] {
    samples.flatMap { $0.rows(name: name) } + totals + percentileRows + faultRows
  }

  /// The verdict as a row of its own: 1 if everything held, and the sentence in its label.
  ///
  /// - Parameter thresholds: What must not be.
  /// - Returns: The row.
  public func verdictRow(_ thresholds: [LoadThreshold]) -> CSVRow {
    CSVRow(
      .load, name: name, labels: ["verdict": verdict(thresholds)], metric: "verdict",
      value: isHeld(thresholds) ? 1 : 0)
  }

  private var name: String { scenario.name }

  private var percentileRows: [CSVRow] {
    let sets = [
      ([:], latencies.all), (["scene": "connected"], latencies.direct),
      (["scene": "reconnecting"], latencies.reconnecting),
      (["scene": "floor"], floor ?? LatencyHistogram()),
    ]
    return sets.flatMap { labels, histogram in
      histogram.count == 0
        ? []
        : Self.percentiles.compactMap {
          CSVRow.latency(of: name, histogram, $0, time: nil, labels: labels)
        }
    }
  }

  private var totals: [CSVRow] {
    let values: [(String, Double?, CSVRow.Unit)] = [
      ("complete", isInterrupted ? 0 : 1, .one), ("time", seconds, .seconds),
      ("events_sent", Double(sent), .one), ("events_delivered", Double(latencies.count), .one),
      ("events_sent_late", Double(late), .one), ("events_sent_per_second", rate, .perSecond),
      ("events_intended_per_second", intendedRate, .perSecond),
      ("faults_missed", Double(missedFaults), .one),
      ("faults_refused", Double(refusedFaults), .one), ("busy_answers", Double(busy), .one),
      ("errors", Double(errors), .one), ("violations", Double(violations.count), .one),
      ("resident", Double(resident), .bytes), ("processors", processors, .one),
      ("generator_time_per_event", generatorTime, .seconds),
      ("generator_share", generatorShare, .one), ("allocated_growth", memoryGrowth, .one),
      ("allocations_per_event", costs.allocationsPerEvent, .one),
      ("allocated_per_event", costs.bytesPerEvent, .bytes),
      ("allocations_per_capture", costs.allocationsPerCapture, .one),
      ("allocated_per_capture", costs.bytesPerCapture, .bytes),
      ("allocated_per_scene", costs.bytesPerConnectedScene, .bytes),
    ]
    return values.compactMap { metric, value, unit in
      CSVRow(.load, name: name, metric: metric, measured: value, unit: unit)
    }
  }

  private var faultRows: [CSVRow] {
    faults.sorted { "\($0.key)" < "\($1.key)" }.map { kind, count in
      CSVRow(
        .load, name: name, labels: ["kind": "\(kind)"], metric: "faults", value: CSVNumber(count))
    }
  }
}
