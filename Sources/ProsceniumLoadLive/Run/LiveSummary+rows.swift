// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  // The results as rows of the CSV, with the names that load tests have.
  extension LiveSummary {
    private static let name = "live"
    private static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9, 99.99, 100]

    var rows: [CSVRow] {
      samples.flatMap(rows) + totals + percentileRows + outageRows + clusterRows + [verdictRow]
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
      let all = sample.tally.latency
      let latencies = [50, 99, 99.9].compactMap {
        all.count > 0 ? CSVRow.latency(of: Self.name, all, $0, time: time, labels: [:]) : nil
      }
      let names = plan.cluster == nil ? [] : Set(lives.map(\.name)).sorted()
      let nodes = names.map { name in
        CSVRow(
          .load, name: Self.name, labels: ["node": name], time: time,
          metric: "clients_attached", value: CSVNumber(sample.attachedAt[name] ?? 0))
      }
      return [
        rate("events_sent_per_second", sample.tally.sent),
        rate("events_delivered_per_second", sample.tally.acknowledged),
        rate("faults_per_second", sample.tally.breaks),
        row("clients_attached", Double(sample.attached)),
        row("resident", Double(sample.resident), .bytes),
      ].compactMap { $0 } + latencies + nodes
    }

    private var totals: [CSVRow] {
      let counts = [
        ("clients", plan.clients), ("events_sent", tally.sent),
        ("events_delivered", tally.acknowledged), ("lines_broken", tally.breaks),
        ("lines_resumed", tally.resumed), ("tabs_hidden", tally.hides),
        ("kills", outages.count { $0.kind == .killed }),
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
      let all = tally.latency
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
              .load, name: Self.name,
              labels: [outage.kind == .killed ? "kill" : "stop": "\(number + 1)"],
              metric: metric, value: $0,
              unit: .seconds)
          }
        }
      }
    }

    private var clusterRows: [CSVRow] {
      guard plan.cluster != nil else { return [] }
      func row(
        _ labels: [String: String], _ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one
      ) -> CSVRow? {
        CSVNumber(value).map {
          CSVRow(
            .load, name: Self.name, labels: labels, metric: metric, value: $0, unit: unit)
        }
      }
      let counts = [
        row([:], "lines_moved", Double(tally.moves)),
        row([:], "stops", Double(outages.count { $0.kind == .stopped })),
      ]
      let nodes = lives.enumerated().flatMap { number, life in
        let labels = ["node": life.name, "process": "\(number + 1)"]
        return [
          row(
            labels.merging(["end": life.ending]) { $1 }, "node_time", life.lived(until: seconds),
            .seconds),
          row(labels, "node_build", Double(life.build)),
          row(labels, "node_clients", Double(life.clients)),
          row(labels, "node_slices", Double(life.slices)),
          row(labels, "node_resident", Double(life.resident), .bytes),
        ]
      }
      let drains = drains.enumerated().map { number, drain in
        row(["drain": "\(number + 1)", "node": drain.name], "drain_time", drain.seconds, .seconds)
      }
      let moves = deploy.map { deploy in
        [
          row([:], "deploy_time", deploy.seconds, .seconds),
          row([:], "slice_moves_mean", deploy.moves.mean),
          row([:], "slice_moves_most", Double(deploy.moves.highest)),
        ]
      }
      return (counts + nodes + drains + (moves ?? [])).compactMap { $0 }
    }

    private var verdictRow: CSVRow {
      CSVRow(
        .load, name: Self.name, labels: ["verdict": verdict], metric: "verdict",
        value: reasons.isEmpty ? 1 : 0)
    }
  }
#endif
