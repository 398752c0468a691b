// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension ReplaySummary {
  /// The summary for people, without the verdict.
  ///
  /// A table with its units, then sentences about what is not as it should be.
  public var text: String {
    var text = isComplete ? "" : "stopped early: what follows is about the lines read so far\n"
    if let continuation {
      text += "continued after line \(continuation): requests, users, sessions and the comparison "
      text += "are those of all runs\n"
    }
    text += table.description
    text += section("malformed lines", malformed, of: malformedLines)
    text += section("refused requests", counts.failures, of: counts.failed)
    text += section("differences", verification.differences, of: nil)
    return text
  }

  private var table: TextTable {
    var table = TextTable([.left, .right, .left])
    addInput(&table)
    addSessions(&table)
    addCost(&table)
    addDurability(&table)
    addVerification(&table)
    return table
  }

  private func addInput(_ table: inout TextTable) {
    table.add("requests", verification.requests)
    table.add("malformed lines", malformedLines)
    table.add("users", verification.users)
    table.add(
      "log time", NumberText.clock(seconds: Double(logSeconds)),
      logSeconds < 3_600 ? "min:s" : "h:min:s")
    table.add("activation requests", counts.activations)
    table.add("events", counts.events)
  }

  private func addSessions(_ table: inout TextTable) {
    table.add("sessions", verification.sessions)
    table.add("  destroyed", counts.destroyed)
    table.add("  open at the end", counts.openSessions)
    table.add("scenes connected", counts.connections)
    table.add("  at most at once", counts.connectedPeak)
    table.add("sent to the background, idle", counts.idleBackgrounds)
    table.add("system disconnects", counts.systemDisconnects)
    table.add("restorations", counts.restorations)
  }

  private func addCost(_ table: inout TextTable) {
    table.add("time", NumberText.fixed(cost.seconds, places: 2), "s")
    table.add("requests delivered", Int(requestsPerSecond.rounded()), "1/s")
    table.add("processors at work", NumberText.fixed(cost.processors, places: 2))
    if let memory = cost.memory {
      table.add("allocated", memory.allocated, "B")
      table.add("resident", memory.resident, "B")
    }
    for session in cost.sessions {
      table.add(session.name, NumberText.fixed(session.bytes, places: 0), "B")
    }
    if let allocations = cost.allocationsPerRequest {
      table.add("allocations", NumberText.fixed(allocations, places: 1), "1/request")
    }
  }

  private func addDurability(_ table: inout TextTable) {
    guard let durability else { return }
    table.add("commits", durability.commits)
    table.add("  changes in them", durability.changes)
    table.add("  saved states in them", durability.bytes, "B")
  }

  private func addVerification(_ table: inout TextTable) {
    table.add("restored states compared", verification.restorations)
    table.add("final states compared", verification.finalStates)
    table.add("lost", verification.lost)
    table.add("duplicated", verification.duplicated)
    table.add("reordered", verification.reordered)
  }

  private func section(_ title: String, _ sentences: [String], of count: Int?) -> String {
    guard !sentences.isEmpty else { return "" }
    let more = (count ?? 0) - sentences.count
    let rest = more > 0 ? ["and \(NumberText.grouped(more)) more"] : []
    return "\(title):\n" + (sentences + rest).map { "  \($0)\n" }.joined()
  }
}

extension ReplaySummary {
  /// The totals of the run as rows of the CSV.
  ///
  /// - Parameter name: What was replayed.
  /// - Returns: One row a metric; the memory's only where a meter read it.
  public func rows(name: String) -> [CSVRow] {
    var rows = (counters + kept).map { metric, count in
      CSVRow(.replay, name: name, metric: metric, value: CSVNumber(count))
    }
    rows += measured(name)
    rows += cost.sessions.map { session in
      CSVRow(
        .replay, name: name, metric: session.metric, value: CSVNumber(session.bytes) ?? 0,
        unit: .bytes)
    }
    return rows
  }

  private var counters: [(String, Int)] {
    [
      ("lines", lines), ("requests", verification.requests), ("malformed_lines", malformedLines),
      ("users", verification.users), ("sessions", verification.sessions),
      ("activations", counts.activations), ("events", counts.events),
      ("destroyed", counts.destroyed), ("open_sessions", counts.openSessions),
      ("connections", counts.connections), ("connected_peak", counts.connectedPeak),
      ("idle_backgrounds", counts.idleBackgrounds),
      ("background_entries", counts.backgroundEntries),
      ("system_disconnects", counts.systemDisconnects), ("spared_scenes", counts.sparedScenes),
      ("restorations", counts.restorations), ("failed_requests", counts.failed),
      ("lost", verification.lost), ("duplicated", verification.duplicated),
      ("reordered", verification.reordered), ("unexpected", verification.unexpected),
      ("wrong_choices", verification.wrongChoices),
      ("wrong_destructions", verification.wrongDestructions),
      ("wrong_states", verification.wrongStates), ("verified", verification.isVerified ? 1 : 0),
      ("complete", isComplete ? 1 : 0),
    ]
  }

  private var kept: [(String, Int)] {
    guard let durability else { return [] }
    return [
      ("continued_after_line", continuation ?? 0), ("commits", durability.commits),
      ("committed_changes", durability.changes),
    ]
  }

  private func measured(_ name: String) -> [CSVRow] {
    var values: [(String, Double?, CSVRow.Unit)] = [
      ("log_time", Double(logSeconds), .seconds), ("time", cost.seconds, .seconds),
      ("requests_per_second", requestsPerSecond, .perSecond),
      ("processors", cost.processors, .one),
      ("allocations_per_request", cost.allocationsPerRequest, .one),
    ]
    if let durability { values.append(("committed_states", Double(durability.bytes), .bytes)) }
    if let memory = cost.memory {
      values.append(("allocated", Double(memory.allocated), .bytes))
      values.append(("resident", Double(memory.resident), .bytes))
    }
    return values.compactMap { metric, value, unit in
      CSVRow(.replay, name: name, metric: metric, measured: value, unit: unit)
    }
  }
}

extension MemoryCost {
  /// The name in snake_case, without what stands behind a comma.
  fileprivate var metric: String {
    "bytes_per_" + name.prefix { $0 != "," }.split(separator: " ").joined(separator: "_")
  }
}
