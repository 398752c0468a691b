// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// This process as a node of the database: its number, its fence and its signs of life.
  final class StoreOwnership: Sendable {
    /// What a claim has given.
    struct Claim: Sendable {
      var epoch: UInt32
      var isRestoring: Bool
    }

    private struct State: Sendable {
      var node: Int32?
      var fence: Int32 = 0
      /// Whether another node has buried this one.
      var isDead = false
      var isClosed = false
    }

    /// How often a node shows that it lives, at least; several times in each lease.
    private static let longestBeatInterval = Duration.seconds(1)
    /// How long it is waited before the nodes are looked at again.
    private static let lookInterval = Duration.milliseconds(200)

    let address: PostgresAddress
    private let options: PostgresStoreOptions
    private let state = Guarded(State())
    private let elapsed: @Sendable () -> Duration
    private let beatExecutor = LineExecutor("proscenium.postgres.beats")
    /// On which nothing else runs: a sign of life never waits.
    private let beats: PostgresLine
    /// For what is rare: joining, claiming, burying.
    let control: PostgresLine
    private let lock: MachineLock?
    private var name: String { String(options.name.prefix(128)) }
    private var lease: Duration { max(options.lease, .seconds(1)) }

    init(_ address: PostgresAddress, _ options: PostgresStoreOptions) throws(StoreError) {
      self.address = address
      self.options = options
      elapsed = options.clock.stopwatch()
      lock = try options.lockFile.map { (path) throws(StoreError) in try MachineLock(path) }
      beats = PostgresLine(
        address, named: "proscenium", on: beatExecutor, options)
      control = PostgresLine(
        address, named: "proscenium", on: LineExecutor("proscenium.postgres.control"),
        options)
    }

    /// The number of this node, or `nil` before it has joined.
    var node: Int32? { state.withLock { $0.node } }

    /// The last fence that is known.
    var fence: Int32 { state.withLock { $0.fence } }

    /// Notes a fence that was read, unless it is that of a node which this process no longer is.
    func note(fence: Int32, of node: Int32) {
      state.withLock { state in
        if state.node == node { state.fence = max(state.fence, fence) }
      }
    }

    /// Reads the fence of a node; `nil` if it was buried.
    func readFence(
      of node: Int32, on connection: PostgresConnection
    ) throws(PostgresFailure) -> Int32? {
      var parameters = PostgresParameters()
      parameters.add(node)
      let rows = try connection.call("SELECT proscenium.fence_1($1)", parameters)
      guard let fence = rows.integerOrNull(0, 0) else { return nil }
      note(fence: Int32(truncatingIfNeeded: fence), of: node)
      return Int32(truncatingIfNeeded: fence)
    }

    /// What those are told whose store another process has taken over.
    func fenced(_ session: SessionIdentifier? = nil) -> StoreError {
      StoreError(
        .fenced, session: session,
        "\(address.place): another process has taken the store over since.")
    }

    /// Notes that another node has buried this one.
    func noteDeath() {
      state.withLock { $0.isDead = true }
    }

    /// Whether another node has buried this one.
    var isDead: Bool { state.withLock { $0.isDead } }

    /// The name of one of this node's connections.
    static func name(of line: String, node: Int32) -> String { "proscenium \(node) \(line)" }

    // MARK: - Taking the store over

    /// Takes all slices, as soon as no other node is in the way.
    ///
    /// - Throws: `inUse` if another node lives; what the server refuses.
    func claim() async throws(StoreError) -> Claim {
      var node = try await joined()
      var watch = watch(as: node)
      while true {
        let now = elapsed()
        let nodes = try await call { (connection) throws(PostgresFailure) in
          try NodeRow.read(on: connection)
        }
        // It can have been buried itself, before or while it waits.
        guard nodes.contains(where: { $0.number == node && !$0.isDead }) else {
          noteDeath()
          node = try await joined()
          watch = self.watch(as: node)
          continue
        }
        switch watch.look(at: nodes, now) {
        case .claim:
          if let claim = try await claim(as: node) { return claim }
        case .bury(let victim):
          try await call { (connection) throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add(victim.number)
            parameters.add(victim.beat)
            try connection.call("SELECT proscenium.bury_1($1, $2)", parameters)
          }
        case .wait: break
        case .inUse(let other):
          await leave()
          throw StoreError(
            .inUse,
            "\(address.place): expected a store that no program uses, found that of node"
              + " \(other.number), \(other.name), which is alive.")
        }
        try? await options.clock.sleep(for: Self.lookInterval)
      }
    }

    private func watch(as node: Int32) -> PredecessorWatch {
      PredecessorWatch(
        own: node, lease: lease, heldName: lock == nil ? nil : name)
    }

    private func claim(as node: Int32) async throws(StoreError) -> Claim? {
      let claimed = try await call {
        (connection) throws(PostgresFailure) -> (Int32, Int64, Bool)? in
        var parameters = PostgresParameters()
        parameters.add(node)
        let rows = try connection.call("SELECT * FROM proscenium.claim_all_1($1)", parameters)
        guard rows.count == 1 else { return nil }
        return (Int32(rows.integer(0, 0)), rows.integer(0, 1), rows.boolean(0, 2))
      }
      guard let (fence, epoch, isRestoring) = claimed else { return nil }
      note(fence: fence, of: node)
      guard let epoch = UInt32(exactly: epoch), epoch >> 24 == 0 else {
        throw StoreError(.limitExceeded, "\(address.place): the store was loaded too often.")
      }
      return Claim(epoch: epoch, isRestoring: isRestoring)
    }

    /// Joins, unless the node has done so and lives.
    private func joined() async throws(StoreError) -> Int32 {
      if let node, !isDead { return node }
      try await prepare()
      let name = name
      let node = try await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(name)
        parameters.add("")
        parameters.add([UInt8]())
        parameters.add(Int32(0))
        return Int32(
          try connection.call("SELECT proscenium.join_1($1, $2, $3, $4)", parameters)
            .integer(0, 0))
      }
      state.withLock { state in
        state.node = node
        state.fence = 0
        state.isDead = false
      }
      await beats.rename(Self.name(of: "beats", node: node))
      await control.rename(Self.name(of: "control", node: node))
      beatLater(as: node)
      return node
    }

    /// Gives all slices back, so that another process need not wait.
    func leave() async {
      let node = state.withLock { state in
        defer { state.node = nil }
        return state.node
      }
      guard let node else { return }
      try? await call { (connection) throws(PostgresFailure) in
        var parameters = PostgresParameters()
        parameters.add(node)
        try connection.call("SELECT proscenium.leave_1($1)", parameters)
      }
    }

    /// Ends the connections.
    func abandon() async {
      state.withLock { $0.isClosed = true }
      await control.close()
      await beats.close()
      lock?.release()
    }

    // MARK: - Signs of life

    private func beatLater(as node: Int32) {
      let interval = min(Self.longestBeatInterval, lease / 5)
      beatExecutor.start(after: interval) { [weak self] in self?.beat(as: node) }
    }

    /// Shows that the node lives, and reads its fence.
    private func beat(as node: Int32) {
      guard self.node == node, !isDead else { return }
      let answer = beats.assumeIsolated { beats in
        Result { () throws(PostgresFailure) in
          try beats.run { (connection) throws(PostgresFailure) in
            var parameters = PostgresParameters()
            parameters.add(node)
            let rows = try connection.call(
              "SELECT fence FROM proscenium.beat_1($1)", parameters,
              within: PredecessorWatch.patience)
            return rows.count == 1 ? Int32(rows.integer(0, 0)) : nil
          }
        }
      }
      // A server that is not reached says nothing about this node.
      if case .success(let fence) = answer {
        if let fence {
          note(fence: fence, of: node)
        } else if self.node == node {
          // It was buried; it has not left on its own.
          noteDeath()
        }
      }
      if !state.withLock({ $0.isClosed }) { beatLater(as: node) }
    }

    // MARK: - Calls

    /// Runs rare calls.
    func call<Success: Sendable>(
      _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(StoreError) -> Success {
      do throws(PostgresFailure) {
        return try await control.run(body)
      } catch {
        throw error.error(at: address.place)
      }
    }

    /// Makes sure that the database has the tables of this version.
    ///
    /// - Throws: `unusable` or `newerVersion`; what the server refuses.
    func prepare() async throws(StoreError) {
      let place = address.place
      let refusal = try await call { (connection) throws(PostgresFailure) in
        try PostgresSchema.prepare(connection, at: place)
      }
      if let refusal { throw refusal }
    }
  }
#endif
