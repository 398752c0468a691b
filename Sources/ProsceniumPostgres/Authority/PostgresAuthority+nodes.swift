// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import ProsceniumCluster
  package import Proscenium

  // Which nodes there are, and what they own.
  extension PostgresAuthority {
    package func join(_ description: NodeDescription) async throws(StoreError) -> Int32 {
      let (node, run) = try await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(description.name)
        parameters.add(description.address)
        parameters.add(description.link.address)
        parameters.add(description.link.fingerprint)
        parameters.add(description.build)
        let rows = try connection.call(
          "SELECT node, run FROM proscenium.join_1($1, $2, $3, $4, $5)", parameters)
        return (Int32(truncatingIfNeeded: rows.integer(0, 0)), rows.integer(0, 1))
      }
      await take(node, run: run)
      // The connections are there when the sessions of a dead node are to be read.
      for reader in readers {
        _ = try? await reader.run { (connection) throws(PostgresFailure) in
          try RowPages.rows(of: [], ConfigurationNumbers(), on: connection)
        }
      }
      return node
    }

    package func beat(as node: Int32) async throws(StoreError) -> ClusterBeat? {
      do throws(PostgresFailure) {
        return try await beats.run(isRepeatable: false, preparing: Self.listen) {
          [run] (connection) throws(PostgresFailure) in
          try Self.beat(as: node, run, on: connection)
        }
      } catch {
        throw error.error(at: place)
      }
    }

    /// A new connection is told of changes of owners.
    private static let listen: PostgresLine.Preparation = {
      (connection) throws(PostgresFailure) in
      try connection.call("LISTEN proscenium", within: NodeWatch.patience)
    }

    static func beat(
      as node: Int32, _ run: Int64, on connection: PostgresConnection
    ) throws(PostgresFailure) -> ClusterBeat? {
      var parameters = PostgresParameters()
      parameters.add(node)
      parameters.add(run)
      let rows = try connection.call(
        "SELECT map, fence FROM proscenium.beat_1($1, $2)", parameters, within: NodeWatch.patience)
      guard rows.count == 1 else { return nil }
      return ClusterBeat(
        map: rows.integer(0, 0), fence: Int32(truncatingIfNeeded: rows.integer(0, 1)))
    }

    package func waitForNews(atMost time: Duration) async -> Bool {
      if let hasNews = await beats.waitForNews(atMost: time) { return hasNews }
      // Without a connection there is none.
      try? await options.clock.sleep(for: time)
      return false
    }

    package func members() async throws(StoreError) -> [ClusterMember] {
      try await call { (connection) throws(PostgresFailure) in
        try Self.members(on: connection)
      }
    }

    /// The nodes that are not dead.
    static func members(
      on connection: PostgresConnection
    ) throws(PostgresFailure) -> [ClusterMember] {
      let rows = try connection.call(
        "SELECT * FROM proscenium.nodes_1()", within: NodeWatch.patience)
      return (0..<rows.count).compactMap { row in
        if rows.text(row, 4) == "x" { return nil }
        return ClusterMember(
          number: Int32(truncatingIfNeeded: rows.integer(row, 0)), name: rows.text(row, 1) ?? "",
          address: rows.text(row, 2) ?? "",
          link: LinkIdentity(
            address: rows.text(row, 7) ?? "", fingerprint: rows.bytes(row, 8)),
          build: Int32(truncatingIfNeeded: rows.integer(row, 3)), beat: rows.integer(row, 5),
          slices: Int(rows.integer(row, 6)), isDraining: rows.text(row, 4) == "d")
      }
    }

    package func map(for node: Int32) async throws(StoreError) -> ClusterMap? {
      try await call { [run] (connection) throws(PostgresFailure) in
        try Self.map(for: node, run, on: connection)
      }
    }

    private static func map(
      for node: Int32, _ run: Int64, on connection: PostgresConnection
    ) throws(PostgresFailure) -> ClusterMap? {
      var parameters = PostgresParameters()
      parameters.add(node)
      parameters.add(run)
      let rows = try connection.call(
        "SELECT * FROM proscenium.map_1($1, $2)", parameters, within: NodeWatch.patience)
      guard rows.count > 0 else { return nil }
      var map = ClusterMap(
        number: rows.integer(0, 0), fence: Int32(truncatingIfNeeded: rows.integer(0, 1)),
        slices: [])
      map.slices = (0..<rows.count).map { row in
        ClusterMap.Slice(
          owner: rows.integerOrNull(row, 2).map { Int32(truncatingIfNeeded: $0) },
          epoch: UInt32(clamping: rows.integer(row, 3)), deaths: Int(rows.integer(row, 4)),
          isHandedOver: rows.boolean(row, 5), mark: rows.integer(row, 6))
      }
      return map
    }

    package func claim(upTo count: Int, as node: Int32) async throws(StoreError) {
      try await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(node)
        parameters.add(Int32(clamping: count))
        try connection.call("SELECT proscenium.claim_1($1, $2)", parameters)
      }
    }

    package func bury(
      _ victim: Int32, seen beat: Int64, heirs: [Int32]
    ) async throws(StoreError) -> Bool {
      try await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(victim)
        parameters.add(beat)
        parameters.add(heirs.map { Int64($0) })
        return try connection.call("SELECT proscenium.bury_1($1, $2, $3)", parameters)
          .boolean(0, 0)
      }
    }

    package func handOver(
      _ slices: [Int], from node: Int32, to receiver: Int32
    ) async throws(StoreError) -> Bool {
      try await call { [run] (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(node)
        parameters.add(run)
        parameters.add(slices.map { Int16(clamping: $0) })
        parameters.add(receiver)
        return try connection.call("SELECT proscenium.hand_over_1($1, $2, $3, $4)", parameters)
          .boolean(0, 0)
      }
    }

    package func drain(_ node: Int32) async throws(StoreError) {
      try await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(node)
        try connection.call("SELECT proscenium.drain_1($1)", parameters)
      }
    }

    package func calm(_ slices: [Int], as node: Int32) async throws(StoreError) {
      try await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(node)
        parameters.add(slices.map { Int16(clamping: $0) })
        try connection.call("SELECT proscenium.calm_1($1, $2)", parameters)
      }
    }

    package func leave(_ node: Int32) async throws(StoreError) {
      try await call { [run] (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(node)
        parameters.add(run)
        try connection.call("SELECT proscenium.leave_1($1, $2)", parameters)
      }
    }

    package func setRunningTime(
      _ milliseconds: Int64, as node: Int32
    ) async throws(StoreError) {
      try await note("set_running_time_1", as: node) { $0.add(milliseconds) }
    }

    /// Calls a function of three arguments, the first two of which are a node and its fence.
    ///
    /// - Throws: `fenced` if the node was buried.
    func note(
      _ function: String, as node: Int32,
      _ add: @escaping @Sendable (inout PostgresParameters) -> Void
    ) async throws(StoreError) {
      let isNoted = try await call { (connection) throws(PostgresFailure) in
        // The fence can move between the look and the call, a few times at most.
        for _ in 0..<8 {
          var look = PostgresParameters()
          look.add(node)
          let rows = try connection.call("SELECT proscenium.fence_1($1)", look)
          guard let fence = rows.integerOrNull(0, 0) else { return false }
          var parameters = PostgresParameters()
          parameters.add(node)
          parameters.add(Int32(truncatingIfNeeded: fence))
          add(&parameters)
          let done = try connection.call("SELECT proscenium.\(function)($1, $2, $3)", parameters)
          if done.boolean(0, 0) { return true }
        }
        return false
      }
      if !isNoted {
        throw StoreError(.fenced, "\(place): another process has taken the store over since.")
      }
    }
  }
#endif
