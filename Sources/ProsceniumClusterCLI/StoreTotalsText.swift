// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ProsceniumJSON
  import ProsceniumLoad
  import ProsceniumPostgres

  /// A store as a whole, for people and for programs.
  struct StoreTotalsText {
    private let totals: PostgresInspection.Totals
    private let place: String

    /// - Parameters:
    ///   - totals: What the store comes to.
    ///   - place: Where it is, without a password.
    init(_ totals: PostgresInspection.Totals, place: String) {
      self.totals = totals
      self.place = place
    }

    /// The totals in aligned lines.
    var table: String {
      var table = TextTable([.left, .right, .left])
      table.add("sessions", totals.sessions)
      if totals.discarded > 0 {
        table.add("discarded", totals.discarded, "told to the application at its next launch")
      }
      table.add("epoch", Int(totals.epoch))
      table.add("nodes", totals.nodes)
      table.add("tables", NumberText.bytes(totals.bytes))
      return table.description
    }

    /// The totals as an object.
    var json: JSONValue {
      .object([
        JSONMember("store", .text(place)), JSONMember("version", .integer(totals.format)),
        JSONMember("sessions", .integer(totals.sessions)),
        JSONMember("discarded", .integer(totals.discarded)),
        JSONMember("epoch", .integer(Int(totals.epoch))),
        JSONMember("nodes", .integer(totals.nodes)),
        JSONMember("databaseBytes", .integer(totals.bytes)),
      ])
    }
  }
#endif
