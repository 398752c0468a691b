// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  // The results as rows of the CSV, with the names that load tests have.
  extension LiveSummary {
    private static let name = "live"

    var rows: [CSVRow] {
      let all = LatencyColumn("all", [:], tally.latency)
      return samples.flatMap(rows) + figures.rows(.load, name: Self.name) + resetRows
        + ([all] + columns).rows(name: Self.name) + outageRows
        + clusterRows + [.verdict(of: Self.name, verdict, isHeld: reasons.isEmpty)]
    }

    private func rows(_ sample: Sample) -> [CSVRow] {
      let time = CSVNumber(sample.time)
      func row(_ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one) -> CSVRow? {
        CSVRow(.load, name: Self.name, time: time, metric: metric, measured: value, unit: unit)
      }
      func rate(_ metric: String, _ count: Int) -> CSVRow? {
        row(metric, Double(count) / max(sample.seconds, 0.001), .perSecond)
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
      ].compactMap { $0 } + CSVRow.latencies(of: Self.name, sample.tally.latency, time: time)
        + nodes
    }

    private var resetRows: [CSVRow] {
      tally.resets.sorted { $0.key < $1.key }.map {
        CSVRow(
          .load, name: Self.name, labels: ["reason": $0.key], metric: "resets",
          value: CSVNumber($0.value))
      }
    }

    private var outageRows: [CSVRow] {
      outages.enumerated().flatMap { number, outage in
        [
          ("served_after", outage.servedAfter), ("attached_after", outage.attachedAfter),
          ("confirmed_after", outage.confirmedAfter),
        ].compactMap { metric, value in
          CSVRow(
            .load, name: Self.name,
            labels: ["\(outage.kind)": "\(number + 1)"],
            metric: metric, measured: value, unit: .seconds)
        }
      }
    }

    private var clusterRows: [CSVRow] {
      guard plan.cluster != nil else { return [] }
      func row(
        _ labels: [String: String], _ metric: String, _ value: Double, _ unit: CSVRow.Unit = .one
      ) -> CSVRow? {
        CSVRow(
          .load, name: Self.name, labels: labels, metric: metric, measured: value, unit: unit)
      }
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
      return (nodes + drains).compactMap { $0 }
    }
  }
#endif
