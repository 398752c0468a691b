// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoad

  /// What a run came to.
  struct LiveSummary: Sendable {
    /// What was seen in a second, or in a shorter time during an outage.
    struct Sample: Sendable {
      let time: Double
      let seconds: Double
      let tally: ClientTally
      let attached: Int
      let resident: Int
    }

    /// What became of a kill, in seconds after it.
    struct Outage: Sendable {
      /// When it was, in seconds since counting began.
      let begun: Double
      /// The next host can be connected to.
      var servedAfter = 0.0
      /// All clients are attached.
      var attachedAfter: Double?
      /// All inputs that were held up are acknowledged.
      var confirmedAfter: Double?

      init(begun: Double) {
        self.begun = begun
      }
    }

    let plan: LivePlan
    var attachSeconds = 0.0
    var seconds = 0.0
    var outages: [Outage] = []
    var violations: [String] = []
    var isInterrupted = false
    /// The same rate to a server that sends back what it gets, if that was measured.
    var floor: LatencyHistogram?
    private(set) var samples: [Sample] = []
    private(set) var tally = ClientTally()

    init(_ plan: LivePlan) {
      self.plan = plan
    }

    /// Adds what clients have seen.
    mutating func note(_ tally: ClientTally) {
      self.tally.add(tally)
    }

    /// Adds what clients have seen while everything was shown again: the resets are asked for.
    mutating func noteVerification(_ tally: ClientTally) {
      var tally = tally
      tally.resets = [:]
      note(tally)
    }

    /// Adds what was seen until now.
    mutating func sample(_ reading: ClientReading, _ resident: Int, at time: Double) -> Sample {
      note(reading.tally)
      let sample = Sample(
        time: time, seconds: time - (samples.last?.time ?? 0), tally: reading.tally,
        attached: reading.attached, resident: resident)
      samples.append(sample)
      return sample
    }

    // MARK: - The verdict

    /// Why the promises did not hold; empty if they did.
    var reasons: [String] {
      var reasons = violations + tally.sentences
      // A client that comes back within the grace period goes on; a launch is an epoch.
      for (reset, count) in tally.resets.sorted(by: { $0.key < $1.key }) {
        let allowed = reset == "epoch" ? outages.count * plan.clients : 0
        if count > allowed {
          reasons.append("\(count) resets '\(reset)', at most \(allowed) are due")
        }
      }
      for (number, outage) in outages.enumerated() {
        if outage.attachedAfter ?? .infinity > LiveRun.attachLimit {
          reasons.append(
            "after kill \(number + 1) not all were attached in \(LiveRun.attachLimit) s")
        }
        if outage.confirmedAfter ?? .infinity > LiveRun.outageLimit {
          reasons.append(
            "after kill \(number + 1) input was not confirmed in \(LiveRun.outageLimit) s")
        }
      }
      if tally.sent != tally.acknowledged {
        reasons.append("\(tally.sent) inputs were sent, \(tally.acknowledged) acknowledged")
      }
      return reasons
    }

    var verdict: String {
      if !reasons.isEmpty { return "violated: " + reasons.joined(separator: "; ") }
      return isInterrupted ? "held, stopped early" : "held"
    }

    // MARK: - For people

    var text: String {
      var table = TextTable([.left, .right, .left])
      table.add("clients", plan.clients)
      table.add("attached in", NumberText.duration(attachSeconds))
      table.add("duration", NumberText.duration(seconds))
      table.add("inputs sent", tally.sent)
      table.add("inputs acknowledged", tally.acknowledged)
      table.add("rate", NumberText.rate(rate))
      table.add("lines broken", tally.breaks)
      table.add("lines resumed", tally.resumed)
      table.add("tabs hidden", tally.hides)
      for (reset, count) in tally.resets.sorted(by: { $0.key < $1.key }) {
        table.add("resets: \(reset)", count)
      }
      for (end, count) in tally.ends.sorted(by: { $0.key < $1.key }) {
        table.add("ended: \(end)", count)
      }
      table.add("resident at most", NumberText.bytes(resident))
      return (isInterrupted ? "stopped early: what follows is about what ran until then\n" : "")
        + "\(table)\n\(outageTable)\(percentiles)"
    }

    private var rate: Double { seconds > 0 ? Double(tally.sent) / seconds : 0 }
    private var resident: Int { samples.map(\.resident).max() ?? 0 }

    private var outageTable: String {
      if outages.isEmpty { return "" }
      var table = TextTable([.left, .right, .right, .right])
      table.add("after a kill", "served", "all attached", "all confirmed")
      for (number, outage) in outages.enumerated() {
        table.add(
          "\(number + 1)", NumberText.duration(outage.servedAfter),
          outage.attachedAfter.map(NumberText.duration) ?? "-",
          outage.confirmedAfter.map(NumberText.duration) ?? "-")
      }
      return "\(table)\n"
    }

    private var columns: [(name: String, histogram: LatencyHistogram)] {
      [("line held", tally.steady), ("line lost", tally.interrupted), ("outage", tally.outage)]
        + (floor.map { [("echo", $0)] } ?? [])
    }

    private var percentiles: TextTable {
      var table = TextTable([.left] + columns.map { _ in .right })
      table.add(row: ["latency"] + columns.map(\.name))
      for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)] {
        table.add(row: [name] + columns.map { Self.time($0.histogram, share) })
      }
      table.add(row: ["longest"] + columns.map { Self.time($0.histogram, 1) })
      return table
    }

    private static func time(_ histogram: LatencyHistogram, _ share: Double) -> String {
      guard histogram.count > 0 else { return "-" }
      return NumberText.duration(Double(histogram.quantile(share)) / 1e9)
    }
  }

  // The results as rows of the CSV, with the names that load tests have.
  extension LiveSummary {
    private static let name = "live"
    private static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9, 99.99, 100]

    var rows: [CSVRow] {
      samples.flatMap(rows) + totals + percentileRows + outageRows + [verdictRow]
    }

    private func rows(_ sample: Sample) -> [CSVRow] {
      let time = CSVNumber(sample.time)
      func row(_ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one) -> CSVRow? {
        CSVNumber(value).map {
          CSVRow(.load, name: Self.name, time: time, metric: metric, value: $0, unit: unit)
        }
      }
      func rate(_ metric: String, _ count: Int) -> CSVRow? {
        row(metric, Double(count) / max(sample.seconds, 0.001), .perSecond)
      }
      var all = sample.tally.steady
      all.add(sample.tally.interrupted)
      all.add(sample.tally.outage)
      let latencies = [50, 99, 99.9].compactMap {
        all.count > 0 ? CSVRow.latency(of: Self.name, all, $0, time: time, labels: [:]) : nil
      }
      return [
        rate("events_sent_per_second", sample.tally.sent),
        rate("events_delivered_per_second", sample.tally.acknowledged),
        rate("faults_per_second", sample.tally.breaks),
        row("clients_attached", Double(sample.attached)),
        row("resident", Double(sample.resident), .bytes),
      ].compactMap { $0 } + latencies
    }

    private var totals: [CSVRow] {
      let counts = [
        ("clients", plan.clients), ("events_sent", tally.sent),
        ("events_delivered", tally.acknowledged), ("lines_broken", tally.breaks),
        ("lines_resumed", tally.resumed), ("tabs_hidden", tally.hides), ("kills", outages.count),
        ("violations", violations.count + tally.violations), ("complete", isInterrupted ? 0 : 1),
      ].map { CSVRow(.load, name: Self.name, metric: $0.0, value: CSVNumber($0.1)) }
      let resets = tally.resets.sorted { $0.key < $1.key }.map {
        CSVRow(
          .load, name: Self.name, labels: ["reason": $0.key], metric: "resets",
          value: CSVNumber($0.value))
      }
      return counts + resets
        + [
          CSVNumber(seconds).map {
            CSVRow(.load, name: Self.name, metric: "time", value: $0, unit: .seconds)
          },
          CSVNumber(rate).map {
            CSVRow(
              .load, name: Self.name, metric: "events_sent_per_second", value: $0, unit: .perSecond)
          },
          CSVRow(
            .load, name: Self.name, metric: "resident", value: CSVNumber(resident), unit: .bytes),
        ].compactMap { $0 }
    }

    private var percentileRows: [CSVRow] {
      var all = tally.steady
      all.add(tally.interrupted)
      all.add(tally.outage)
      let sets = [([:], all)] + columns.map { (["line": $0.name], $0.histogram) }
      return sets.flatMap { labels, histogram in
        histogram.count == 0
          ? []
          : Self.percentiles.compactMap {
            CSVRow.latency(of: Self.name, histogram, $0, time: nil, labels: labels)
          }
      }
    }

    private var outageRows: [CSVRow] {
      outages.enumerated().flatMap { number, outage in
        [
          ("served_after", outage.servedAfter), ("attached_after", outage.attachedAfter),
          ("confirmed_after", outage.confirmedAfter),
        ].compactMap { metric, value in
          value.flatMap { CSVNumber($0) }.map {
            CSVRow(
              .load, name: Self.name, labels: ["kill": "\(number + 1)"], metric: metric, value: $0,
              unit: .seconds)
          }
        }
      }
    }

    private var verdictRow: CSVRow {
      CSVRow(
        .load, name: Self.name, labels: ["verdict": verdict], metric: "verdict",
        value: reasons.isEmpty ? 1 : 0)
    }
  }
#endif
