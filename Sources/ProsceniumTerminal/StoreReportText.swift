// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumLoad
package import ProsceniumStoring

/// What was found in a store, for people.
package struct StoreReportText: Sendable {
  private let report: StoreReport
  private let verdict: String
  private let rows: [(name: String, count: Int)]

  /// - Parameters:
  ///   - report: What was found.
  ///   - verdict: What is said if nothing is wrong.
  ///   - rows: What else was counted.
  package init(
    _ report: StoreReport, verdict: String, _ rows: [(name: String, count: Int)] = []
  ) {
    self.report = report
    self.verdict = verdict
    self.rows = rows
  }

  /// A line for each thing that is wrong, how much was read, and the verdict in the last line.
  package var text: String {
    var text = ""
    for error in report.damage {
      let place = error.session.map { "session \($0)" } ?? "store"
      text += Terminal.oneLine("\(place): \(error.message)") + "\n"
    }
    if report.damageCount > report.damage.count {
      text += "… and \(NumberText.grouped(report.damageCount - report.damage.count)) more\n"
    }
    return text + table + (report.isSound ? verdict : "damaged: \(summary)") + "\n"
  }

  private var table: String {
    var table = TextTable([.left, .right, .left])
    table.add("sessions", report.sessions)
    table.add("saved states", report.states, NumberText.bytes(report.stateBytes))
    for row in rows { table.add(row.name, row.count) }
    return table.description
  }

  private var summary: String {
    let sessions = Set(report.damage.compactMap(\.session)).count
    let things =
      NumberText.grouped(report.damageCount) + (report.damageCount == 1 ? " thing" : " things")
    return "\(things), \(NumberText.grouped(sessions)) \(sessions == 1 ? "session" : "sessions")"
  }
}
