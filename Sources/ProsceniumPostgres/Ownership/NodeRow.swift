// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// A node as the database has it.
  struct NodeRow: Sendable, Equatable {
    /// Its number, which is never given again.
    var number: Int32
    var name: String
    var address: String
    /// Whether it was buried.
    var isDead: Bool
    /// It grows with each sign of life.
    var beat: Int64
    /// How many slices it owns.
    var slices: Int

    static func read(on connection: PostgresConnection) throws(PostgresFailure) -> [NodeRow] {
      let rows = try connection.call("SELECT * FROM proscenium.nodes_1()")
      return (0..<rows.count).map { row in
        NodeRow(
          number: Int32(truncatingIfNeeded: rows.integer(row, 0)), name: rows.text(row, 1) ?? "",
          address: rows.text(row, 2) ?? "", isDead: rows.text(row, 4) == "x",
          beat: rows.integer(row, 5), slices: Int(rows.integer(row, 6)))
      }
    }
  }
#endif
