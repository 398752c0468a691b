// SPDX-License-Identifier: Apache-2.0

#if Links
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLinks
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// Nodes that give everything away for good.
  @Suite(.timeLimit(.minutes(5))) struct DrainTests {
    private static func cluster() async throws -> (TestCluster, address: String) {
      let database = try await TestDatabase.make()
      return (
        TestCluster(database) { .tls(at: "127.0.0.1", port: 0) },
        database.server.url(database: database.name)
      )
    }

    @Test func `a node that drains gives everything away, ends, and nothing is lost`() async throws
    {
      let (cluster, address) = try await Self.cluster()
      try await cluster.nodes("a", "b") { a, b in
        var sessions: [SessionIdentifier] = []
        for _ in 0..<40 {
          sessions.append(try await a.application.host.newSession().id)
          try await a.application.sendDurably("count", to: sessions[sessions.count - 1])
        }
        let number = try #require(a.status.number)
        try await ClusterStatus.drain(number, at: address)
        // They are sent while the slices move, to whichever node has them.
        for _ in 0..<100 {
          for session in sessions {
            try await b.application.sendWithBackpressure("count", to: session)
          }
        }
        try await cluster.database.wait(
          until: "SELECT count(*) = 1 AND max(name) = 'b' FROM proscenium.node")
        #expect(b.status.served == 1_024)
        for session in sessions {
          #expect(try await b.application.call("count", to: session).string == "102")
        }
      }
    }

    @Test func `a node that drains itself is given nothing, and parked slices go as well`()
      async throws
    {
      let (cluster, _) = try await Self.cluster()
      try await cluster.nodes("a", "b") { a, b in
        try await cluster.database.sql(
          """
          UPDATE proscenium.slice SET deaths = 3 WHERE slice IN (SELECT slice
            FROM proscenium.slice JOIN proscenium.node ON owner = node WHERE name = 'a'
            ORDER BY slice LIMIT 20);
          UPDATE proscenium.cluster SET map = map + 1
          """)
        try await a.drain()
        try await cluster.database.wait(
          until: "SELECT count(*) = 1 AND max(name) = 'b' FROM proscenium.node")
        #expect(
          try await cluster.database.sql(
            "SELECT count(*), count(owner) FROM proscenium.slice WHERE deaths = 3") == "20|20")
      }
    }

    @Test func `if all nodes drain, each goes on with what it has`() async throws {
      let (cluster, address) = try await Self.cluster()
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.host.newSession().id
        // Both at once, so that neither gives anything before.
        try await cluster.database.sql("UPDATE proscenium.node SET state = 'd'")
        for node in [a, b] { try await node.drain() }
        #expect(try await b.application.call("count", to: session).string == "1")
        let status = try await ClusterStatus.read(address)
        #expect(status.nodes.allSatisfy { $0.state == .draining && $0.slices == 512 })
        b.abandon()
        try await cluster.database.sql(
          "SELECT proscenium.bury_1(node, beat, ARRAY(SELECT node FROM proscenium.node))"
            + " FROM proscenium.node WHERE name = 'b'")
        try await cluster.database.wait(
          until: "SELECT count(*) = 1024 FROM proscenium.map WHERE name = 'a'")
        #expect(try await a.application.call("count", to: session).string == "2")
      }
    }

    @Test func `a node that does not live cannot be drained`() async throws {
      let (cluster, address) = try await Self.cluster()
      try await cluster.node("a") { a in
        for wrong in [0, -1, Int32.max] {
          let error = await #expect(throws: StoreError.self) {
            try await ClusterStatus.drain(wrong, at: address)
          }
          #expect(error?.code == .limitExceeded)
          #expect(error?.message.hasSuffix("of a node that lives, found \(wrong).") == true)
        }
      }
    }
  }
#endif
