// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import PostgresTestServer
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import Testing

  /// What nodes of a cluster do while the database is not reached, or has lost its last moments.
  @Suite(.timeLimit(.minutes(10))) struct ClusterOutageTests {
    /// A cluster on a server that no other test uses.
    private static func cluster() async throws -> TestCluster {
      let server = try await PostgresServer.start()
      return TestCluster(
        TestDatabase(server: server, name: try await server.makeDatabase()), lease: .seconds(2))
    }

    private static func wait(for node: ClusterNode, isServing: Bool) async throws {
      // Nothing tells when it is so.
      while node.status.isServing != isServing { try await Task.sleep(for: .milliseconds(5)) }
    }

    private static func burials(_ cluster: TestCluster) async throws -> String {
      try await cluster.database.sql(
        "SELECT sum(deaths) FROM proscenium.slice")
    }

    @Test(arguments: [0.5, 2.5])
    func `while the database is down no node is buried, and all go on when it is back`(
      leases: Double
    ) async throws {
      let cluster = try await Self.cluster()
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        try await a.application.sendDurably("count", to: session)
        let numbers = [a.status.number, b.status.number]
        try await cluster.database.server.stop(mode: .immediate)
        // It is the fault's time.
        try await Task.sleep(for: cluster.lease * leases)
        // A node that has heard nothing for most of a lease serves nothing.
        if leases > 1 { #expect(!a.status.isServing && !b.status.isServing) }
        try await cluster.database.server.startAgain()
        let start = ContinuousClock.now
        try await Self.wait(for: a, isServing: true)
        try await Self.wait(for: b, isServing: true)
        #expect(try await cluster.call("count", session, a) == "2")
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect([a.status.number, b.status.number] == numbers)
        #expect(try await Self.burials(cluster) == "0")
      }
      try await cluster.database.server.remove()
    }

    @Test func `a node that is cut off from the database pauses before the other has its slices`()
      async throws
    {
      let direct = try await Self.cluster()
      let proxy = try TCPProxy(to: direct.database.server.port)
      defer { proxy.close() }
      let behind = TestCluster(direct.database.behind(proxy), lease: direct.lease)
      try await behind.nodes("a", "b", secondOn: direct) { a, b in
        let session = try await a.application.activateSceneSession().id
        try await a.application.sendDurably("count", to: session)
        proxy.mode = .blackHole
        #expect(try await direct.call("count", session, b) == "2")
        #expect(!a.status.isServing)
        // What it is told waits, and nothing of it is applied.
        proxy.mode = .forward
        // Nothing tells when it has learnt of it.
        while a.whereabouts(of: session) == .here { try await Task.sleep(for: .milliseconds(10)) }
        try await Self.wait(for: a, isServing: true)
        #expect(a.application.openSessions.isEmpty)
        #expect(try await direct.call("count", session, b) == "3")
      }
      try await direct.database.server.remove()
    }

    @Test func `a database that has gone back is believed, and what it lost is written again`()
      async throws
    {
      let cluster = try await Self.cluster()
      let server = cluster.database.server
      try await cluster.nodes("a", "b") { a, b in
        var sessions: [SessionIdentifier] = []
        for node in [a, b] {
          for _ in 0..<10 {
            let session = try await node.application.activateSceneSession().id
            try await node.application.sendDurably("count", to: session)
            sessions.append(session)
          }
        }
        try await server.stop(mode: .fast)
        try await server.copyData(to: "copy")
        try await server.startAgain()
        for node in [a, b] { try await Self.wait(for: node, isServing: true) }
        for session in sessions {
          let node = a.whereabouts(of: session) == .here ? a : b
          _ = try await cluster.call("count", session, node)
          try await node.application.sendDurably("count", to: session)
        }
        let late = try await a.application.activateSceneSession().id
        try await a.application.sendDurably("count", to: late)
        // One that nothing is saved of until it is read.
        let quiet = try await a.application.activateSceneSession().id
        try await a.application.sendDurably("count", to: quiet)
        try await a.application.host.perform(.background(quiet))
        try await a.application.host.perform(.disconnect(quiet))
        try await server.stop(mode: .immediate)
        try await server.putBackData(from: "copy")
        try await server.startAgain()
        for node in [a, b] { try await Self.wait(for: node, isServing: true) }
        #expect(try await cluster.call("count", quiet, a) == "2")
        // The next commits find what is missing.
        for session in sessions + [late] {
          let node = a.whereabouts(of: session) == .here ? a : b
          try await node.application.sendDurably("count", to: session)
        }
        // Each node at last sees its own sessions as they were left.
        for session in sessions + [late] {
          let node = a.whereabouts(of: session) == .here ? a : b
          try await node.application.host.perform(.background(session))
          try await node.application.host.perform(.disconnect(session))
          let answer = try await cluster.call("count", session, node)
          #expect(answer == (session == late ? "3" : "5"))
        }
      }
      try await server.remove()
    }

    @Test func `a session's first state is written again with its key`() async throws {
      let cluster = try await Self.cluster()
      let server = cluster.database.server
      let session = try await cluster.node("a") { a in
        let session = try await a.application.activateSceneSession().id
        try await cluster.database.wait(
          until: "SELECT count(*) = 1 FROM proscenium.session WHERE NOT has_state")
        try await server.stop(mode: .fast)
        try await server.copyData(to: "copy")
        try await server.startAgain()
        try await Self.wait(for: a, isServing: true)
        try await a.application.sendDurably("count", to: session)
        try await server.stop(mode: .immediate)
        try await server.putBackData(from: "copy")
        try await server.startAgain()
        try await Self.wait(for: a, isServing: true)
        // The next commit finds what is missing.
        try await a.application.sendDurably("count", to: session)
        return session
      }
      try await cluster.node("b") { b in
        let answer = try await cluster.call("count", session, b)
        #expect(answer == "3")
      }
      try await server.remove()
    }

    @Test func `a node that the database has forgotten is not taken for one that joins later`()
      async throws
    {
      let direct = try await Self.cluster()
      let server = direct.database.server
      let proxy = try TCPProxy(to: server.port)
      defer { proxy.close() }
      let behind = TestCluster(direct.database.behind(proxy), lease: direct.lease)
      try await direct.node("a") { a in
        try await server.stop(mode: .fast)
        try await server.copyData(to: "copy")
        try await server.startAgain()
        try await behind.node("b") { b in
          let number = try #require(b.status.number)
          proxy.mode = .blackHole
          try await server.stop(mode: .immediate)
          try await server.putBackData(from: "copy")
          try await server.startAgain()
          try await direct.node("c") { c in
            // The sequence of the database has gone back as well.
            #expect(c.status.number == number)
            proxy.cut()
            proxy.mode = .forward
            try await Self.wait(for: a, isServing: true)
            let names = "SELECT string_agg(name, ' ' ORDER BY name) FROM proscenium.node"
            let end = ContinuousClock.now + .seconds(20)
            while b.status.number == number, ContinuousClock.now < end {
              // Nothing tells when it has joined again.
              try await Task.sleep(for: .milliseconds(20))
            }
            #expect(b.status.number != number)
            #expect(try await direct.database.sql(names) == "a b c")
          }
        }
      }
      try await server.remove()
    }
  }
#endif
