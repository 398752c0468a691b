// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation

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
        : Self.percentiles.flatMap {
          CSVRow.latency(of: name, histogram, $0, time: nil, labels: labels)
        }
    }
  }

  private var totals: [CSVRow] {
    func row(_ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one) -> CSVRow? {
      CSVNumber(value).map { CSVRow(.load, name: name, metric: metric, value: $0, unit: unit) }
    }
    let rows = [
      row("complete", isInterrupted ? 0 : 1), row("time", seconds, .seconds),
      row("events_sent", Double(sent)),
      row("events_delivered", Double(latencies.count)),
      row("events_sent_late", Double(late)), row("events_sent_per_second", rate, .perSecond),
      intendedRate.flatMap { row("events_intended_per_second", $0, .perSecond) },
      row("faults_missed", Double(missedFaults)), row("faults_refused", Double(refusedFaults)),
      row("busy_answers", Double(busy)), row("errors", Double(errors)),
      row("violations", Double(violations.count)), row("resident", Double(resident), .bytes),
      row("processors", processors), row("generator_time_per_event", generatorTime, .seconds),
      generatorShare.flatMap { row("generator_share", $0) },
      memoryGrowth.flatMap { row("allocated_growth", $0) },
      costs.allocationsPerEvent.flatMap { row("allocations_per_event", $0) },
      costs.bytesPerEvent.flatMap { row("allocated_per_event", $0, .bytes) },
      costs.allocationsPerCapture.flatMap { row("allocations_per_capture", $0) },
      costs.bytesPerCapture.flatMap { row("allocated_per_capture", $0, .bytes) },
      costs.bytesPerConnectedScene.flatMap { row("allocated_per_scene", $0, .bytes) },
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
