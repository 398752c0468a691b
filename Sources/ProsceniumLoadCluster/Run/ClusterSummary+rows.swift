// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  // The results as rows of the CSV, with the names that load tests have.
  extension ClusterSummary {
    static let name = "cluster"

    var rows: [CSVRow] {
      samples.enumerated().flatMap { $1.rows(after: $0 > 0 ? samples[$0 - 1] : nil) }
        + figures.rows(.load, name: Self.name) + columns.rows(name: Self.name) + blackoutRows
        + nodeRows + strikeRows + [.verdict(of: Self.name, verdict, isHeld: reasons.isEmpty)]
    }

    private var blackoutRows: [CSVRow] {
      [50.0, 99, 100].compactMap { percentile in
        CSVRow(
          .load, name: Self.name, metric: "blackout", percentile: percentile,
          measured: gifts.blackout(percentile / 100), unit: .seconds)
      }
    }

    private var nodeRows: [CSVRow] {
      nodes.enumerated().flatMap { place, node in
        let labels = [
          "node": node.name, "process": "\(place + 1)",
          "end": node.end?.rawValue ?? "at the end of the run",
        ]
        return [
          ("node_sessions", Double(node.reading.sessions), CSVRow.Unit.one),
          ("node_delivered", Double(node.delivered), .one),
          ("node_resident", Double(node.resident), .bytes),
          ("node_time", node.lived(until: seconds), .seconds),
        ].compactMap { metric, value, unit in
          CSVRow(
            .load, name: Self.name, labels: labels, metric: metric, measured: value, unit: unit)
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
          CSVRow(
            .load, name: Self.name, labels: labels, metric: metric, measured: value, unit: .seconds)
        }
      }
    }
  }

  extension ClusterSummary.Sample {
    /// What was seen, as rows of the CSV.
    ///
    /// - Parameter last: The sample before, if there is one.
    /// - Returns: The rows.
    func rows(after last: Self?) -> [CSVRow] {
      let name = ClusterSummary.name
      let (time, seconds) = (CSVNumber(time), max(seconds, 0.001))
      let values: [(String, Double, CSVRow.Unit)] = [
        ("events_sent_per_second", Double(sent) / seconds, .perSecond),
        ("events_delivered_per_second", Double(delivered.count) / seconds, .perSecond),
        ("faults_per_second", Double(strikes - (last?.strikes ?? 0)) / seconds, .perSecond),
        ("scenes_connected", Double(connected), .one), ("resident", Double(resident), .bytes),
      ]
      let rows = values.compactMap { metric, value, unit in
        CSVRow(.load, name: name, time: time, metric: metric, measured: value, unit: unit)
      }
      let slices = slices.sorted { $0.key < $1.key }.map {
        CSVRow(
          .load, name: name, labels: ["node": $0.key], time: time, metric: "node_slices",
          value: CSVNumber($0.value))
      }
      return rows + CSVRow.latencies(of: name, delivered, time: time) + slices
    }
  }
#endif
