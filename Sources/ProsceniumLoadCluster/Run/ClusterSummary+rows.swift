// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumLoad

  // The results as rows of the CSV, with the names that load tests have.
  extension ClusterSummary {
    static let name = "cluster"

    private static let percentiles: [Double] = [50, 75, 90, 95, 99, 99.9, 99.99, 100]

    var rows: [CSVRow] {
      samples.flatMap(rows) + figures.rows(.load, name: Self.name) + percentileRows + blackoutRows
        + nodeRows
        + strikeRows + [verdictRow]
    }

    private func rows(_ sample: Sample) -> [CSVRow] {
      let time = CSVNumber(sample.time)
      let seconds = max(sample.seconds, 0.001)
      let struck = strikes.count { (sample.time - sample.seconds..<sample.time).contains($0.begun) }
      let values: [(String, Double, CSVRow.Unit)] = [
        ("events_sent_per_second", Double(sample.sent) / seconds, .perSecond),
        ("events_delivered_per_second", Double(sample.delivered.count) / seconds, .perSecond),
        ("faults_per_second", Double(struck) / seconds, .perSecond),
        ("scenes_connected", Double(sample.connected), .one),
        ("resident", Double(sample.resident), .bytes),
      ]
      let rows = values.compactMap { metric, value, unit in
        CSVNumber(value).map {
          CSVRow(.load, name: Self.name, time: time, metric: metric, value: $0, unit: unit)
        }
      }
      let latencies = [50, 99, 99.9].compactMap {
        sample.delivered.count > 0
          ? CSVRow.latency(of: Self.name, sample.delivered, $0, time: time) : nil
      }
      let slices = sample.slices.sorted { $0.key < $1.key }.map {
        CSVRow(
          .load, name: Self.name, labels: ["node": $0.key], time: time, metric: "node_slices",
          value: CSVNumber($0.value))
      }
      return rows + latencies + slices
    }

    private var percentileRows: [CSVRow] {
      [([:], delivered), (["message": "durable"], durable)].flatMap { labels, histogram in
        histogram.count == 0
          ? []
          : Self.percentiles.compactMap {
            CSVRow.latency(of: Self.name, histogram, $0, time: nil, labels: labels)
          }
      }
    }

    private var blackoutRows: [CSVRow] {
      [50.0, 99, 100].compactMap { percentile in
        gifts.blackout(percentile / 100).flatMap { CSVNumber($0) }.map {
          CSVRow(
            .load, name: Self.name, metric: "blackout", percentile: CSVNumber(percentile),
            value: $0, unit: .seconds)
        }
      }
    }

    private var nodeRows: [CSVRow] {
      nodes.enumerated().flatMap { place, node in
        let labels = [
          "node": node.name, "process": "\(place + 1)", "end": node.end ?? "at the end of the run",
        ]
        return [
          ("node_sessions", Double(node.reading.sessions), CSVRow.Unit.one),
          ("node_delivered", Double(node.delivered), .one),
          ("node_resident", Double(node.resident), .bytes),
          ("node_time", (node.ended ?? seconds) - node.begun, .seconds),
        ].compactMap { metric, value, unit in
          CSVNumber(value).map {
            CSVRow(
              .load, name: Self.name, labels: labels, metric: metric, value: $0, unit: unit)
          }
        }
      }
    }

    private var strikeRows: [CSVRow] {
      strikes.enumerated().flatMap { place, strike in
        let labels = ["strike": "\(place + 1)", "kind": "\(strike.kind)"]
        let times =
          [("buried_after", strike.buriedAfter), ("served_after", strike.servedAfter)]
          + strike.drains.map { ("drained_after", $0) }
        return times.compactMap { metric, value in
          value.flatMap { CSVNumber($0) }.map {
            CSVRow(
              .load, name: Self.name, labels: labels, metric: metric, value: $0, unit: .seconds)
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
