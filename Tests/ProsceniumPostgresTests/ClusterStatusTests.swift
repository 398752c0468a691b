// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives
  import Testing

  /// What a database says of its cluster to people, and how parked slices are released.
  @Suite(.timeLimit(.minutes(10))) struct ClusterStatusTests {
    /// A database with the tables, and its address.
    private static func store() async throws -> (database: TestDatabase, address: String) {
      let database = try await TestDatabase.make()
      let address = database.server.url(database: database.name)
      try await PostgresStoreSetup.run(address, granting: [])
      return (database, address)
    }

    /// Enters nodes that no process is behind, and gives each as many slices as are left for it.
    private static func join(_ names: [String], _ database: TestDatabase) async throws {
      for (place, name) in names.enumerated() {
        let share = 1_024 / names.count + (place == 0 ? 1_024 % names.count : 0)
        try await database.sql(
          """
          SELECT proscenium.claim_1(node, \(share))
            FROM proscenium.join_1('\(name)', 'host-\(name):1', '', '', \(40 + place))
          """)
      }
    }

    @Test func `a store that no process uses has slices without an owner`() async throws {
      let (_, address) = try await Self.store()
      let status = try await ClusterStatus.read(address)
      #expect(status.nodes.isEmpty && status.deaths.isEmpty && status.parked().isEmpty)
      #expect(status.slices == 1_024 && status.freeSlices == 1_024 && status.ownedSlices == 0)
      #expect(status.sessions == 0 && status.bytes > 0 && status.format == 1 && status.map == 0)
    }

    @Test func `nodes that run are live and were heard of a moment ago`() async throws {
      let database = try await TestDatabase.make()
      let address = database.server.url(database: database.name)
      try await TestCluster(database).nodes("a", "b") { a, b in
        for _ in 0..<5 { _ = try await a.application.activateSceneSession() }
        _ = try await b.application.activateSceneSession()
        try await database.wait(until: "SELECT count(*) = 6 FROM proscenium.session")
        let status = try await ClusterStatus.read(address)
        #expect(status.nodes.map(\.number) == [a, b].compactMap(\.status.number).sorted())
        #expect(Set(status.nodes.map(\.name)) == ["a", "b"])
        #expect(status.nodes.allSatisfy { $0.address == "host-\($0.name):1" && $0.slices == 512 })
        #expect(status.nodes.allSatisfy { $0.state == .live && !$0.isSilent })
        #expect(status.freeSlices == 0 && status.ownedSlices == 1_024)
        #expect(status.slicesOfTheDead == 0 && status.sessions == 6 && status.map > 0)
      }
      #expect(try await ClusterStatus.read(address).nodes.isEmpty)
    }

    @Test func `a node that was buried is dead, and its slices are another one's`() async throws {
      let (database, address) = try await Self.store()
      try await Self.join(["a", "b"], database)
      let before = try await ClusterStatus.read(address)
      #expect(before.nodes.map(\.build) == [40, 41] && before.nodes.map(\.slices) == [512, 512])
      try await database.bury(Int(before.nodes[0].number))
      let after = try await ClusterStatus.read(address)
      #expect(after.nodes.map(\.state) == [.dead, .live])
      #expect(after.nodes.map(\.slices) == [0, 1_024])
      #expect(after.slicesOfTheDead == 0 && after.freeSlices == 0 && after.map > before.map)
      #expect(after.deaths.count == 512 && after.deaths.allSatisfy { $0.count == 1 })
      #expect(after.deaths.allSatisfy { $0.owner == after.nodes[1].number })
      #expect(after.parked().isEmpty && after.parked(after: 1).count == 512)
      // By hand, as no function of the store does it.
      try await database.sql("UPDATE proscenium.node SET state = 'd' WHERE state = 'l'")
      try await database.sql(
        "UPDATE proscenium.slice SET owner = \(before.nodes[0].number) WHERE slice < 3")
      let changed = try await ClusterStatus.read(address)
      #expect(changed.nodes.map(\.state) == [.dead, .draining])
      #expect(changed.slicesOfTheDead == 3 && changed.ownedSlices == 1_021)
    }

    @Test func `a node that does not beat is silent, whatever the zone of its server`()
      async throws
    {
      let (database, address) = try await Self.store()
      try await Self.join(["a", "b"], database)
      try await database.sql(
        """
        UPDATE proscenium.node SET beat_at = clock_timestamp() - interval '1 hour',
          joined_at = '2026-11-28 12:34:56+05' WHERE name = 'a';
        UPDATE proscenium.node SET beat_at = clock_timestamp() + interval '1 hour'
          WHERE name = 'b'
        """)
      try await database.sql("ALTER DATABASE \(database.name) SET timezone = 'Asia/Tokyo'")
      let nodes = try await ClusterStatus.read(address).nodes
      #expect(nodes.map(\.isSilent) == [true, false])
      #expect(nodes[0].silence >= .seconds(3_600) && nodes[0].silence < .seconds(3_700))
      #expect(nodes[0].joined == "2026-11-28T07:34:56Z")
      // The server's clock was set back since.
      try await database.sql("UPDATE proscenium.node SET beat_at = now() + interval '1 hour'")
      #expect(try await ClusterStatus.read(address).nodes.allSatisfy { $0.silence == .zero })
    }

    @Test func `a slice is released once, and a number that none has releases none`()
      async throws
    {
      let (database, address) = try await Self.store()
      try await database.sql(
        "UPDATE proscenium.slice SET deaths = slice - 800 WHERE slice BETWEEN 801 AND 804")
      let parked = try await ClusterStatus.read(address).parked()
      #expect(parked.map(\.slice) == [803, 804] && parked.map(\.count) == [3, 4])
      for wrong in [-1, 1_024, 70_000, Int.max] {
        let error = await #expect(throws: StoreError.self) {
          try await ClusterStatus.release([803, wrong], at: address)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("0 to 1023, found \(wrong); none was") == true)
      }
      #expect(try await ClusterStatus.read(address).deaths.count == 4)
      let map = try await ClusterStatus.read(address).map
      #expect(try await ClusterStatus.release([803, 7, 801, 803], at: address) == [3, 0, 1, 0])
      let after = try await ClusterStatus.read(address)
      #expect(after.deaths.map(\.slice) == [802, 804] && after.map > map)
      #expect(try await ClusterStatus.release([7], at: address) == [0])
      #expect(try await ClusterStatus.read(address).map == after.map)
    }

    @Test func `a node serves a slice as soon as it is released`() async throws {
      let database = try await TestDatabase.make()
      let address = database.server.url(database: database.name)
      let cluster = TestCluster(database)
      let session = try await cluster.node("a") { node in
        try await node.application.activateSceneSession().id
      }
      let slice = Int(session.high >> 54)
      try await database.sql("UPDATE proscenium.slice SET deaths = 3 WHERE slice = \(slice)")
      try await cluster.node("b") { node in
        let parked = try await ClusterStatus.read(address).parked()
        #expect(parked.map(\.slice) == [slice] && parked.map(\.owner) == [node.status.number])
        #expect(try await ClusterStatus.release([slice], at: address) == [3])
        #expect(try await cluster.call("count", session, node) == "1")
        #expect(try await ClusterStatus.read(address).deaths.isEmpty)
      }
    }

    @Test func `slices of a node that dies alone have no owner, so that the next one claims them`()
      async throws
    {
      let (database, address) = try await Self.store()
      try await Self.join(["a"], database)
      try await database.bury(1)
      let status = try await ClusterStatus.read(address)
      #expect(status.freeSlices == 1_024 && status.slicesOfTheDead == 0)
      #expect(status.deaths.count == 1_024)
      try await TestCluster(database).node("b") { node in
        #expect(node.status.served == 1_024)
      }
    }

    @Test func `a process that takes the whole store over forgets deaths, since it parks nothing`()
      async throws
    {
      let (database, address) = try await Self.store()
      for number in 1...4 {
        try await database.sql("SELECT proscenium.join_1('a', '', '', '', 0)")
        if number > 1 { try await database.bury(number - 1) }
        try await database.sql("SELECT proscenium.claim_all_1(\(number))")
      }
      let status = try await ClusterStatus.read(address)
      #expect(status.nodes.last?.slices == 1_024 && status.deaths.isEmpty)
    }

    @Test func `a role that may use the store sees the status and releases slices`() async throws {
      let (database, address) = try await Self.store()
      let role = "app_" + database.name
      try await database.sql("CREATE ROLE \(role) LOGIN PASSWORD 'word'")
      let login = database.server.url(database: database.name, user: role, password: "word")
      let refused = await #expect(throws: StoreError.self) { try await ClusterStatus.read(login) }
      #expect(refused?.code == .unusable)
      try await PostgresStoreSetup.run(address, granting: [role])
      #expect(try await ClusterStatus.read(login).slices == 1_024)
      #expect(try await ClusterStatus.release([0, 1_023], at: login) == [0, 0])
    }

    @Test func `a database without a store, and a newer store, are refused`() async throws {
      let database = try await TestDatabase.make()
      let address = database.server.url(database: database.name)
      func expectRefusal(_ code: StoreError.Code) async {
        let read = await #expect(throws: StoreError.self) {
          try await ClusterStatus.read(address)
        }
        let release = await #expect(throws: StoreError.self) {
          try await ClusterStatus.release([1], at: address)
        }
        #expect(read?.code == code && release?.code == code)
      }
      await expectRefusal(.unusable)
      try await PostgresStoreSetup.run(address, granting: [])
      try await database.sql("UPDATE proscenium.cluster SET format = 2")
      await expectRefusal(.newerVersion)
    }
  }
#endif
