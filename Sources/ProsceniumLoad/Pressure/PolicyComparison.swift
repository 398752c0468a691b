// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// How many events of a trace find their scene connected, by policy and by number of scenes.
package struct PolicyComparison: Sendable {
  /// One policy's hits, for each size.
  package struct Row: Hashable, Sendable {
    /// The policy's name.
    package let name: String
    /// The number of hits with each of the sizes.
    package let hits: [Int]
  }

  /// The number of events.
  package let events: Int
  /// The number of sessions.
  package let sessions: Int
  /// The number of lines that were no requests.
  package let malformed: Int
  /// How many scenes stay connected, of each column.
  package let sizes: [Int]
  /// The policies that a runtime can have.
  package private(set) var rows: [Row] = []
  /// What no policy exceeds.
  package private(set) var optimum = Row(name: "optimum", hits: [])

  /// Runs every policy over a trace with each size.
  ///
  /// - Parameters:
  ///   - trace: The trace, with an event at least.
  ///   - sizes: How many scenes stay connected, each 1 or more.
  ///   - progress: Is told how many of how many runs are over.
  package init(
    _ trace: PolicyTrace, sizes: [Int], progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) {
    events = trace.events.count
    sessions = trace.sessionCount
    malformed = trace.malformedCount
    self.sizes = sizes
    var done = 0
    func row(_ name: String, _ hits: (Int) -> Int) -> Row {
      Row(
        name: name,
        hits: sizes.map { size in
          let hits = hits(size)
          done += 1
          progress(done, (DisconnectionPolicy.Order.all.count + 1) * sizes.count)
          return hits
        })
    }
    rows = DisconnectionPolicy.Order.all.map { orders in
      row(orders.name) { trace.hits(of: orders, scenes: $0) }
    }
    optimum = row(optimum.name) { trace.optimalHits(scenes: $0) }
  }

  /// The policy that comes nearest to the optimum on the average of the sizes; of equals the first.
  package var best: Row? {
    rows.min { distance($0) < distance($1) }
  }

  /// How far a policy is below the optimum: the mean difference of the hit rates in points.
  package func distance(_ row: Row) -> Double {
    let differences = zip(optimum.hits, row.hits).map { rate($0) - rate($1) }
    return differences.reduce(0, +) / Double(max(sizes.count, 1))
  }

  /// A number of hits as a hit rate in percent.
  private func rate(_ hits: Int) -> Double { Double(hits) * 100 / Double(max(events, 1)) }

  // MARK: - For people and programs

  /// The comparison as text for people: a row each policy, a column each size, the best of a column
  /// marked; the last line says which policy is best.
  package var description: String {
    var text = "\(counted(events, "event")) of \(counted(sessions, "session"))"
    if malformed > 0 { text += ", \(counted(malformed, "malformed line"))" }
    var table = TextTable([.left] + sizes.map { _ in .right })
    table.add(row: ["hits in %, by connected scenes"] + sizes.map { NumberText.grouped($0) + " " })
    for row in rows + [optimum] {
      let cells = sizes.indices.map { index in
        let isBest = row != optimum && rows.allSatisfy { $0.hits[index] <= row.hits[index] }
        return NumberText.fixed(rate(row.hits[index]), places: 2) + (isBest ? "*" : " ")
      }
      table.add(row: [row.name] + cells)
    }
    text += "\n\n\(table)\nrecommended: \(DisconnectionPolicy.Order.recommended.name)\n"
    guard let best else { return text }
    return text + "best: \(best.name), \(NumberText.fixed(distance(best), places: 2)) points below "
      + "the optimum on average\n"
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    NumberText.grouped(count) + " " + noun + (count == 1 ? "" : "s")
  }

  /// The comparison as rows of the CSV.
  ///
  /// The label `policy` has the policy's name, and `scenes` how many scenes stay connected.
  ///
  /// - Parameter name: What the policies were compared on.
  /// - Returns: The rows.
  package func csvRows(name: String) -> [CSVRow] {
    let totals: [(String, CSVNumber)] = [
      ("events", CSVNumber(events)), ("sessions", CSVNumber(sessions)),
      ("malformed_lines", CSVNumber(malformed)),
    ]
    var result = totals.map { CSVRow(.replay, name: name, metric: $0.0, value: $0.1) }
    for row in rows + [optimum] {
      for (size, hits) in zip(sizes, row.hits) {
        let figures: [(String, CSVNumber)] = [
          ("hits", CSVNumber(hits)), ("misses", CSVNumber(events - hits)),
          ("hit_rate", CSVNumber(rate(hits) / 100) ?? 0),
        ]
        result += figures.map {
          CSVRow(
            .replay, name: name, labels: ["policy": row.name, "scenes": "\(size)"], metric: $0.0,
            value: $0.1)
        }
      }
    }
    return result
  }
}
