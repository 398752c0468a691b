// SPDX-License-Identifier: Apache-2.0

import Proscenium

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
      value.flatMap { CSVNumber($0) }.map {
        CSVRow(.replay, name: name, metric: metric, value: $0, unit: unit)
      }
    }
  }
}

extension MemoryCost {
  /// The name in snake_case, without what stands behind a comma.
  fileprivate var metric: String {
    "bytes_per_" + name.prefix { $0 != "," }.split(separator: " ").joined(separator: "_")
  }
}
