// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import Testing

  /// What tells a change of owners from one that was undone.
  @Suite(.timeLimit(.minutes(10))) struct OwnerMarkTests {
    @Test(arguments: [
      "proscenium.claim_1(1, 8)",
      "proscenium.hand_over_1(2, (SELECT run FROM proscenium.node WHERE node = 2), '{0}', 1)",
      "proscenium.bury_1(2, 0, '{1}')",
    ])
    func `a change that was undone and comes again has another mark, and another map`(
      change: String
    ) async throws {
      let database = try await TestDatabase.make()
      try await PostgresStoreSetup.run(
        database.server.url(database: database.name), granting: [])
      try await database.sql(
        """
        SELECT proscenium.join_1('a', 'a', '', '', 1);
        SELECT proscenium.join_1('b', 'b', '', '', 1);
        SELECT proscenium.claim_1(2, 4);
        """)
      let before = try await look(database, "SELECT 1")
      let first = try await look(database, "SELECT \(change)")
      let second = try await look(database, "SELECT \(change)")
      #expect(first[0] == second[0] && first[0] != before[0], "owners and epochs")
      #expect(Set([before[1], first[1], second[1]]).count == 3, "marks")
      #expect(Set([before[2], first[2], second[2]]).count == 3, "the number of the map")
    }

    /// Lets something happen, looks at owners and epochs, marks, and the number of the map, and
    /// lets the database forget it.
    private func look(_ database: TestDatabase, _ change: String) async throws -> [String] {
      let output = try await database.sql(
        """
        BEGIN;
        \(change);
        SELECT string_agg(owner || '-' || epoch, ' ' ORDER BY slice),
            string_agg(mark::text, ' ' ORDER BY slice), (SELECT map FROM proscenium.cluster)
          FROM proscenium.slice WHERE slice < 8;
        ROLLBACK;
        """)
      let line = try #require(output.split(separator: "\n").dropLast().last)
      return line.split(separator: "|").map { String($0) }
    }
  }
#endif
