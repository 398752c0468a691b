// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// Nodes of one cluster on a real server, all in this process.
  @Suite(.timeLimit(.minutes(10))) struct ClusterNodeTests {
    @Test func `a node alone serves everything, and the next one finds it`() async throws {
      let cluster = TestCluster(try await .make())
      let session = try await cluster.node("a") { node in
        #expect(node.status.served == 1_024)
        let session = try await node.application.activateSceneSession().id
        _ = try await node.application.call("count", to: session)
        #expect(node.whereabouts(of: session) == .here)
        return session
      }
      try await cluster.node("b") { node in
        #expect(node.application.openSessions.map(\.id) == [session])
        let answer = try await cluster.call("count", session, node)
        #expect(answer == "2")
      }
      #expect(try await cluster.database.sql("SELECT count(*) FROM proscenium.node") == "0")
    }

    @Test
    func `two nodes share the slices, and a session of the other is refused with its address`()
      async throws
    {
      let cluster = TestCluster(try await .make())
      try await cluster.nodes("a", "b") { a, b in
        #expect(a.status.served + b.status.served == 1_024)
        #expect(a.status.served == 512)
        let session = try await a.application.activateSceneSession().id
        let refusal = #expect(throws: SceneError.self) {
          try b.application.send("x", to: session)
        }
        #expect(refusal?.code == .servedElsewhere)
        #expect(refusal?.address == "host-a:1")
        #expect(b.whereabouts(of: session) == .node(address: "host-a:1"))
        await #expect(throws: SceneError.self) {
          try await b.application.call("count", to: session)
        }
      }
    }

    @Test func `an application with one session is none for a cluster`() async throws {
      let database = try await TestDatabase.make()
      let authority = try PostgresAuthority(
        database.server.url(database: database.name),
        key: .callback { try ApplicationKeys(primary: TestDatabase.key) })
      let refusal = await #expect(throws: SceneError.self) {
        try await ClusterNode.withRunning(
          manifest: SceneManifest([], supportsMultipleScenes: false),
          authority: authority, node: ClusterSettings(name: "a", address: "")
        ) { _ in }
      }
      #expect(refusal?.code == .multipleScenesNotSupported)
    }

    @Test func `sessions of a group, and of an owner, are made where these live`() async throws {
      let cluster = TestCluster(try await .make())
      try await cluster.nodes("a", "b") { a, b in
        for number in 0..<20 {
          let group = SceneGroup(rawValue: "group \(number)")
          let (here, there) = a.whereabouts(of: group) == .here ? (a, b) : (b, a)
          let first = try await here.application.host.newSession(group: group).id
          let second = try await here.application.host.newSession(group: group).id
          #expect(first.description.prefix(4) == second.description.prefix(4))
          let refusal = await #expect(throws: SceneError.self) {
            try await there.application.host.newSession(group: group)
          }
          #expect(refusal?.code == .servedElsewhere)
          let owner = "owner \(number)"
          let home = a.whereabouts(ofOwner: owner) == .here ? a : b
          for _ in 0..<2 { _ = try await home.application.host.newSession(owner: owner) }
          #expect(home.application.openSessions.filter { $0.owner == owner }.count == 2)
        }
      }
    }

    @Test func `a node that is killed is buried, and the other goes on with its sessions`()
      async throws
    {
      let cluster = TestCluster(try await .make(), lease: .seconds(1))
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        for count in 1...3 {
          #expect(try await cluster.call("count", session, a) == "\(count)")
        }
        try await a.application.sendDurably("count", to: session)
        a.abandon()
        let answer = try await cluster.call("count", session, b)
        #expect(answer == "5")
        // The other slices follow.
        while b.status.served < 1_024 { try await Task.sleep(for: .milliseconds(10)) }
      }
    }

    @Test func `nodes that die together count one death of each slice`() async throws {
      let cluster = TestCluster(try await .make(), lease: .seconds(1))
      let dying = Guarded<[ClusterNode]>([])
      try await cluster.node("heir") { heir in
        try await withThrowingTaskGroup { group in
          for name in ["a", "b", "c"] {
            // Each runs until its end, at the same time as the others.
            group.addTask { @Sendable in
              try await cluster.node(name) { node in
                dying.withLock { $0.append(node) }
                // Nothing tells when the test has ended it.
                while !node.application.isOver { try await Task.sleep(for: .milliseconds(10)) }
              }
            }
          }
          // Nothing tells when all have joined.
          while dying.withLock({ $0.count }) < 3 { try await Task.sleep(for: .milliseconds(10)) }
          let number = heir.status.number ?? 0
          try await cluster.database.sql(
            """
            SELECT proscenium.hand_over_1(
                \(number), (SELECT run FROM proscenium.node WHERE node = \(number)),
                array_agg(slice), node)
              FROM (SELECT node, row_number() OVER () AS seat FROM proscenium.node
                WHERE name <> 'heir') AS others
              JOIN proscenium.slice ON slice % 4 = seat GROUP BY node
            """)
          // Nothing tells when it has learnt of that.
          while heir.status.served > 256 { try await Task.sleep(for: .milliseconds(10)) }
          for node in dying.withLock({ $0 }) { node.abandon() }
          // Nothing tells when it has buried all.
          while heir.status.served < 1_024 { try await Task.sleep(for: .milliseconds(10)) }
          #expect(
            try await cluster.database.sql("SELECT max(deaths) FROM proscenium.slice") == "1")
          group.cancelAll()
          while await group.nextResult() != nil {}
        }
      }
    }

    @Test func `a node that leaves gives its slices to the other at once`() async throws {
      let cluster = TestCluster(try await .make())
      let left = Guarded<SessionIdentifier?>(nil)
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        _ = try await a.application.call("count", to: session)
        left.withLock { $0 = session }
        a.application.shutDown()
        #expect(try await cluster.call("count", session, b) == "2")
      }
    }

    @Test func `a node that joins is given its share, and every session is as it was`()
      async throws
    {
      let cluster = TestCluster(try await .make())
      try await cluster.node("a", balancePause: .milliseconds(100)) { a in
        var sessions: [SessionIdentifier] = []
        for number in 0..<64 {
          let session = try await a.application.activateSceneSession().id
          // The end of a scene by a move ends no session.
          let message: SceneMessage = number % 2 == 0 ? "one life" : "count"
          _ = try await a.application.call(message, to: session)
          sessions.append(session)
        }
        try await cluster.node("b", settleTime: .seconds(60)) { [sessions] b in
          // Nothing tells when it has its share, of which a twentieth may stay where it is.
          while b.status.served < 512 - 25 { try await Task.sleep(for: .milliseconds(20)) }
          var (here, there) = (0, 0)
          for session in sessions {
            let isHere = a.whereabouts(of: session) == .here
            if isHere { here += 1 } else { there += 1 }
            #expect(try await cluster.call("count", session, isHere ? a : b) == "2")
          }
          #expect(here > 0 && there > 0)
          #expect(a.application.openSessions.count + b.application.openSessions.count == 64)
        }
      }
    }

    @Test func `a node that was buried drops its sessions, and joins again`() async throws {
      let cluster = TestCluster(try await .make())
      try await cluster.nodes("a", "b") { a, b in
        let session = try await a.application.activateSceneSession().id
        try await a.application.sendDurably("count", to: session)
        let number = try #require(a.status.number)
        try await cluster.database.bury(Int(number))
        #expect(try await cluster.call("count", session, b) == "2")
        while a.status.number == number || a.status.number == nil {
          try await Task.sleep(for: .milliseconds(20))
        }
        #expect(a.application.openSessions.isEmpty)
        #expect(throws: SceneError.self) { try a.application.send("count", to: session) }
        #expect(a.whereabouts(of: session) == .node(address: "host-b:1"))
      }
    }

    @Test func `slices whose owners die one after the other are parked, until they are released`()
      async throws
    {
      let database = try await TestDatabase.make()
      let cluster = TestCluster(database)
      let session = try await cluster.node("a") {
        try await $0.application.activateSceneSession().id
      }
      let slice = session.high >> 54
      try await database.sql(
        "UPDATE proscenium.slice SET deaths = 3 WHERE slice = \(slice)")
      try await cluster.node("b") { node in
        #expect(node.status.served == 1_023)
        #expect(node.status.parked == 1)
        let refusal = #expect(throws: SceneError.self) {
          try node.application.send("count", to: session)
        }
        #expect(refusal?.code == .systemBusy)
        try await database.sql("SELECT proscenium.release_1(\(slice))")
        #expect(try await cluster.call("count", session, node) == "1")
        #expect(node.status.parked == 0)
      }
    }
  }
#endif
