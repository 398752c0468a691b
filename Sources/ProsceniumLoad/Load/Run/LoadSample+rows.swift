// SPDX-License-Identifier: Apache-2.0

extension LoadSample {
  /// What was seen, as rows of the CSV.
  func rows(name: String) -> [CSVRow] {
    let time = CSVNumber(time)
    func row(_ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one) -> CSVRow? {
      CSVNumber(value).map {
        CSVRow(.load, name: name, time: time, metric: metric, value: $0, unit: unit)
      }
    }
    var rows = [
      row("events_sent_per_second", Double(sent) / seconds, .perSecond),
      row(
        "events_delivered_per_second", Double(latencies.count) / seconds, .perSecond),
      row("connects_per_second", Double(connects) / seconds, .perSecond),
      row("disconnects_per_second", Double(disconnects) / seconds, .perSecond),
      row("discards_per_second", Double(discards) / seconds, .perSecond),
      row("captures_per_second", Double(captures) / seconds, .perSecond),
      row("faults_per_second", Double(faults) / seconds, .perSecond),
      row("scenes_connected", Double(connected)),
      row("changes_waiting", Double(waiting)),
      row("processors", processors),
    ]
    if let memory {
      rows += [
        row("allocated", Double(memory.allocated), .bytes),
        row("active", Double(memory.active), .bytes),
        row("resident", Double(memory.resident), .bytes),
        row("retained", Double(memory.retained), .bytes),
      ]
    }
    let all = latencies.all
    var found = rows.compactMap { $0 }
    for percentile in [50.0, 99, 99.9] where all.count > 0 {
      found += CSVRow.latency(of: name, all, percentile, time: time)
    }
    return found
  }
}

extension CSVRow {
  /// A percentile of latencies; nothing if it is no number.
  static func latency(
    of name: String, _ histogram: LatencyHistogram, _ percentile: Double, time: CSVNumber?,
    labels: [String: String] = [:]
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
}
