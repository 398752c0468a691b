// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  // The results as tables for people.
  extension ClusterSummary {
    var text: String {
      (isInterrupted ? "stopped early: what follows is about what ran until then\n" : "")
        + [figures.table, nodeTable, strikeTable, columns.table()].map(\.description)
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Every figure about the whole run, but for the latencies.
    var figures: [SummaryFigure] {
      let wasLost = plan.nodes.losesOwners
      return [
        .init(nil, "complete", isInterrupted ? 0 : 1),
        .init("duration", "time", seconds, .seconds),
        .init("events accepted", "events_sent", totals.sent),
        .init("events given to their sessions", "events_delivered", totals.given),
        .init("durable messages of users", "messages_durable", totals.durable),
        .init(
          "both together", "events_sent_per_second",
          seconds > 0 ? Double(totals.sent + totals.durable) / seconds : 0, .perSecond),
        .init("events refused, and not among them", "events_refused", totals.refused),
        .init("longest wait until one was accepted", "longest_wait", totals.wait, .seconds),
        .init(wasLost ? "events told to be lost" : nil, "events_lost", totals.lost),
        .init(wasLost ? "events gone with their owner" : nil, "events_gone", totals.missing),
        .init(wasLost ? "messages without an answer" : nil, "messages_unknown", totals.unknown),
        .init(nil, "violations", reasons.count),
        .init(
          "owners a slice got", "moves_per_slice", moves.mean,
          text: NumberText.fixed(moves.mean, places: 2) + ", at most \(moves.highest)"),
        .init(gifts.count > 0 ? "gifts of slices" : nil, "gifts", gifts.count),
        .init(
          "blackout of a session, p50", nil, gifts.blackout(0.5),
          text: gifts.blackout(0.5).map(NumberText.duration)),
        .init(
          "blackout of a session, p99", nil, gifts.blackout(0.99),
          text: gifts.blackout(0.99).map(NumberText.duration)),
        .init(
          "memory of all nodes at most", "resident",
          Double(samples.map(\.resident).max() ?? 0), .bytes),
      ]
    }

    /// A line for each node.
    private var nodeTable: TextTable {
      var table = TextTable([.left, .right, .right, .right, .right, .right, .right, .left])
      table.add(
        row: ["node", "build", "lived", "slices", "sessions", "delivered", "resident", "end"])
      for node in nodes {
        table.add(
          row: [
            node.name, node.build == .max ? "-" : "\(node.build)",
            NumberText.duration(node.lived(until: seconds)),
            NumberText.grouped(node.reading.served), NumberText.grouped(node.reading.sessions),
            NumberText.grouped(node.delivered), NumberText.bytes(node.resident),
            node.end?.rawValue ?? "",
          ])
      }
      return table
    }

    private var strikeTable: TextTable {
      var table = TextTable([.left, .left, .right, .right, .right, .left])
      if strikes.isEmpty { return table }
      table.add(row: ["done", "to", "at", "buried", "all served", "drained in"])
      for strike in strikes {
        func time(_ seconds: Double?) -> String { seconds.map(NumberText.duration) ?? "-" }
        table.add(
          row: [
            "\(strike.kind)", strike.node ?? "all", time(strike.begun), time(strike.buriedAfter),
            time(strike.servedAfter),
            strike.drains.isEmpty
              ? "-" : strike.drains.map(NumberText.duration).joined(separator: ", "),
          ])
      }
      return table
    }

    var columns: [LatencyColumn] {
      [
        LatencyColumn("delivered", [:], delivered),
        LatencyColumn("durable", ["message": "durable"], durable),
      ]
    }
  }
#endif
