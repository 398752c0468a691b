// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import ProsceniumLoad
import ProsceniumSQLite

/// A store as a whole, for people and for programs.
struct StoreTotalsText {
  private let totals: StoreInspection.Totals
  private let path: String

  init(_ totals: StoreInspection.Totals, path: String) {
    self.totals = totals
    self.path = path
  }

  /// The totals in aligned lines.
  var table: String {
    var table = TextTable([.left, .right, .left])
    table.add("sessions", totals.sessions)
    if totals.discarded > 0 {
      table.add("discarded", totals.discarded, "told to the application at its next launch")
    }
    table.add("epoch", totals.epoch.map { NumberText.grouped(Int($0)) } ?? "damaged")
    table.add("openings", totals.openings.map(NumberText.grouped) ?? "damaged")
    table.add("file", NumberText.bytes(totals.databaseBytes))
    table.add("log", NumberText.bytes(totals.logBytes))
    if let time = totals.createdAt {
      table.add("created", "", NumberText.time(secondsSince1970: time) + " UTC")
    }
    if totals.isRestoring == true {
      table.add("", "", "the application ended while it was restoring its state")
    }
    return table.description
  }

  /// The totals as an object.
  var json: JSONValue {
    .object([
      JSONMember("store", .text(path)), JSONMember("version", .integer(totals.version)),
      JSONMember("sessions", .integer(totals.sessions)),
      JSONMember("discarded", .integer(totals.discarded)),
      JSONMember("epoch", totals.epoch.map { .integer(Int($0)) } ?? .null),
      JSONMember("openings", totals.openings.map { .integer($0) } ?? .null),
      JSONMember("databaseBytes", .integer(totals.databaseBytes)),
      JSONMember("logBytes", .integer(totals.logBytes)),
      JSONMember(
        "created",
        totals.createdAt.map { .text(NumberText.time(secondsSince1970: $0)) } ?? .null),
      JSONMember("isRestoring", totals.isRestoring.map { .bool($0) } ?? .null),
    ])
  }
}
