// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension PolicyComparison {
  /// The comparison as text for people; the last line says which policy is best.
  package var description: String {
    "\(summary)\n\n\(table)\n\(idleTable)\(verdict)\n"
  }

  private var summary: String {
    var text = "\(counted(events, "event")) of \(counted(sessions, "session"))"
    if malformed > 0 { text += ", \(counted(malformed, "malformed line"))" }
    return text
  }

  /// Hit rates: a row each policy, a column each size, the best of a column marked.
  private var table: String {
    var table = TextTable([.left] + sizes.map { _ in .right })
    table.add(row: ["hits in %, by connected scenes"] + sizes.map { NumberText.grouped($0) + " " })
    for row in rows {
      table.add(
        row: [row.name]
          + sizes.indices.map { index in
            let isBest = rows.allSatisfy { $0.hits[index] <= row.hits[index] }
            return text(row.hits[index]) + (isBest ? "*" : " ")
          })
    }
    table.add(row: [Self.optimumName] + optimum.map { text($0) + " " })
    return table.description
  }

  private var idleTable: String {
    if idle.isEmpty { return "" }
    var table = TextTable([.left, .right, .right, .right])
    table.add(
      row: [
        "disconnected when idle for", "hits in %", "scenes on average",
        "\(DisconnectionOrders.recommended.name) with as many",
      ])
    for row in idle {
      table.add(
        row: [
          NumberText.clock(seconds: Double(row.seconds)), text(row.outcome.hits),
          NumberText.fixed(row.outcome.meanConnected, places: 1), text(row.recommendedHits),
        ])
    }
    return table.description + "\n"
  }

  private var verdict: String {
    let recommended = "recommended: \(DisconnectionOrders.recommended.name)"
    guard let best else { return recommended }
    return recommended
      + "\nbest: \(best.name), \(NumberText.fixed(distance(best), places: 2)) points below "
      + "the optimum on average"
  }

  private func text(_ hits: Int) -> String { NumberText.fixed(rate(hits), places: 2) }

  private func counted(_ count: Int, _ noun: String) -> String {
    NumberText.grouped(count) + " " + noun + (count == 1 ? "" : "s")
  }
}
