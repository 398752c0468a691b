// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation

// The results as rows of the CSV.
extension LoadSummary {
  private static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9, 99.99, 100]

  /// The time series, the summary and the latency histogram.
  public var rows: [CSVRow] {
    samples.flatMap { rows(of: $0) } + totals + percentileRows + faultRows
  }

  /// The verdict as a row of its own: 1 if everything held, and the sentence in its label.
  public func row(verdict: String) -> CSVRow {
    CSVRow(
      .load, name: name, labels: ["verdict": verdict], metric: "verdict",
      value: verdict == "held" ? 1 : 0)
  }

  private var name: String { scenario.name }

  private func rows(of sample: LoadSample) -> [CSVRow] {
    let time = CSVNumber(sample.time)
    func row(_ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one) -> CSVRow? {
      CSVNumber(value).map {
        CSVRow(.load, name: name, time: time, metric: metric, value: $0, unit: unit)
      }
    }
    let seconds = sample.seconds
    var rows = [
      row("events_sent_per_second", Double(sample.sent) / seconds, .perSecond),
      row(
        "events_delivered_per_second", Double(sample.latencies.count) / seconds, .perSecond),
      row("connects_per_second", Double(sample.connects) / seconds, .perSecond),
      row("disconnects_per_second", Double(sample.disconnects) / seconds, .perSecond),
      row("discards_per_second", Double(sample.discards) / seconds, .perSecond),
      row("captures_per_second", Double(sample.captures) / seconds, .perSecond),
      row("faults_per_second", Double(sample.faults) / seconds, .perSecond),
      row("scenes_connected", Double(sample.connected)),
      row("changes_waiting", Double(sample.waiting)),
      row("processors", sample.processors),
    ]
    if let memory = sample.memory {
      rows += [
        row("allocated", Double(memory.allocated), .bytes),
        row("active", Double(memory.active), .bytes),
        row("resident", Double(memory.resident), .bytes),
        row("retained", Double(memory.retained), .bytes),
      ]
    }
    let all = sample.latencies.all
    var found = rows.compactMap { $0 }
    for percentile in [50.0, 99, 99.9] where all.count > 0 {
      found += latencyRow(all, percentile, time: time, labels: [:])
    }
    return found
  }

  private func latencyRow(
    _ histogram: LatencyHistogram, _ percentile: Double, time: CSVNumber?, labels: [String: String]
  ) -> [CSVRow] {
    guard let share = CSVNumber(percentile),
      let value = CSVNumber(Double(histogram.quantile(percentile / 100)) / 1e9)
    else { return [] }
    return [
      CSVRow(
        .load, name: name, labels: labels, time: time, metric: "latency", percentile: share,
        value: value, unit: .seconds)
    ]
  }

  private var percentileRows: [CSVRow] {
    let sets = [
      ([:], latencies.all), (["scene": "connected"], latencies.direct),
      (["scene": "reconnecting"], latencies.reconnecting),
    ]
    return sets.flatMap { labels, histogram in
      histogram.count == 0
        ? [] : Self.percentiles.flatMap { latencyRow(histogram, $0, time: nil, labels: labels) }
    }
  }

  private var totals: [CSVRow] {
    func row(_ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one) -> CSVRow? {
      CSVNumber(value).map { CSVRow(.load, name: name, metric: metric, value: $0, unit: unit) }
    }
    let rows = [
      row("time", seconds, .seconds), row("events_sent", Double(sent)),
      row("events_delivered", Double(latencies.count)),
      row("events_sent_per_second", rate, .perSecond),
      intendedRate.flatMap { row("events_intended_per_second", $0, .perSecond) },
      row("faults_missed", Double(missedFaults)), row("faults_refused", Double(refusedFaults)),
      row("busy_answers", Double(busy)), row("errors", Double(errors)),
      row("violations", Double(violations.count)), row("resident", Double(resident), .bytes),
      row("processors", processors), row("generator_time_per_event", generatorTime, .seconds),
      generatorShare.flatMap { row("generator_share", $0) },
      memoryGrowth.flatMap { row("allocated_growth", $0) },
      allocationsPerEvent.flatMap { row("allocations_per_event", $0) },
    ]
    return rows.compactMap { $0 }
  }

  private var faultRows: [CSVRow] {
    faults.sorted { "\($0.key)" < "\($1.key)" }.map { kind, count in
      CSVRow(
        .load, name: name, labels: ["kind": "\(kind)"], metric: "faults", value: CSVNumber(count))
    }
  }
}
