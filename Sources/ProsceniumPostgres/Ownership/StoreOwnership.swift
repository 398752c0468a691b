// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumCluster
  import ProsceniumPrimitives

  /// This process as the one node that owns all slices.
  final class StoreOwnership: Sendable {
    /// What a claim has given.
    struct Claim: Sendable {
      var node: Int32
      var epoch: UInt32
      var isRestoring: Bool
    }

    private struct State: Sendable {
      var node: Int32?
      /// Whether another node has buried this one.
      var isDead = false
      var isClosed = false
    }

    /// How often a node shows that it lives, at least; several times in each lease.
    private static let longestBeatInterval = Duration.seconds(1)
    /// How long it is waited before the nodes are looked at again.
    private static let lookInterval = Duration.milliseconds(200)

    private let authority: PostgresAuthority
    private let state = Guarded(State())
    private let elapsed: @Sendable () -> Duration
    private let lock: MachineLock?
    private var options: PostgresStoreOptions { authority.options }
    private var name: String { String(options.name.prefix(128)) }
    private var lease: Duration { max(options.lease, .seconds(1)) }

    init(_ authority: PostgresAuthority) throws(StoreError) {
      self.authority = authority
      elapsed = authority.options.clock.stopwatch()
      lock = try authority.options.lockFile.map { (path) throws(StoreError) in
        try MachineLock(path)
      }
    }

    /// The number of this node, or `nil` before it has joined.
    var node: Int32? { state.withLock { $0.node } }

    // MARK: - Taking the store over

    /// Takes all slices, as soon as no other node is in the way.
    ///
    /// - Throws: `inUse` if another node lives; what the server refuses.
    func claim() async throws(StoreError) -> Claim {
      var node = try await joined()
      var watch = watch(as: node)
      while true {
        let now = elapsed()
        let nodes = try await authority.members()
        // It can have been buried itself, before or while it waits.
        guard nodes.contains(where: { $0.number == node }) else {
          state.withLock { $0.isDead = true }
          node = try await joined()
          watch = self.watch(as: node)
          continue
        }
        switch watch.look(at: nodes, now) {
        case .claim:
          if let claim = try await claim(as: node) { return claim }
        case .bury(let victim):
          _ = try await authority.bury(victim.number, seen: victim.beat, heirs: [node])
        case .wait: break
        case .inUse(let other):
          await leave()
          throw StoreError(
            .inUse,
            "\(authority.place): expected a store that no program uses, found that of node"
              + " \(other.number), \(other.name), which is alive.")
        }
        try? await options.clock.sleep(for: Self.lookInterval)
      }
    }

    private func watch(as node: Int32) -> PredecessorWatch {
      PredecessorWatch(own: node, lease: lease, heldName: lock == nil ? nil : name)
    }

    private func claim(as node: Int32) async throws(StoreError) -> Claim? {
      let claimed = try await authority.call {
        (connection) throws(PostgresFailure) -> (Int64, Bool)? in
        var parameters = PostgresParameters()
        parameters.add(node)
        let rows = try connection.call("SELECT * FROM proscenium.claim_all_1($1)", parameters)
        guard rows.count == 1 else { return nil }
        return (rows.integer(0, 1), rows.boolean(0, 2))
      }
      guard let (epoch, isRestoring) = claimed else { return nil }
      guard let epoch = UInt32(exactly: epoch), epoch >> 23 == 0 else {
        throw StoreError(.limitExceeded, "\(authority.place): the store was loaded too often.")
      }
      return Claim(node: node, epoch: epoch, isRestoring: isRestoring)
    }

    /// Joins, unless the node has done so and lives.
    private func joined() async throws(StoreError) -> Int32 {
      if let node, !state.withLock({ $0.isDead }) { return node }
      try await authority.prepare()
      let node = try await authority.join(NodeDescription(name: name, address: "", build: 0))
      state.withLock { state in
        state.node = node
        state.isDead = false
      }
      beatLater(as: node)
      return node
    }

    /// Gives all slices back, so that another process need not wait.
    func leave() async {
      let node = state.withLock { state in
        defer { state.node = nil }
        return state.node
      }
      if let node { try? await authority.leave(node) }
    }

    /// Ends the signs of life, and lets go of the lock file.
    func abandon() {
      state.withLock { $0.isClosed = true }
      lock?.release()
    }

    // MARK: - Signs of life

    private func beatLater(as node: Int32) {
      let interval = min(Self.longestBeatInterval, lease / 5)
      authority.beatExecutor.start(after: interval) { [weak self] in self?.beat(as: node) }
    }

    /// Shows that the node lives, on a thread of its own.
    private func beat(as node: Int32) {
      guard self.node == node, !state.withLock({ $0.isDead || $0.isClosed }) else { return }
      let run = authority.run
      let answer = authority.beats.assumeIsolated { beats in
        Result { () throws(PostgresFailure) in
          try beats.run { (connection) throws(PostgresFailure) in
            try PostgresAuthority.beat(as: node, run, on: connection)
          }
        }
      }
      // A server that is not reached says nothing about this node.
      if case .success(nil) = answer {
        state.withLock { state in
          // It was buried; it has not left on its own.
          if state.node == node { state.isDead = true }
        }
      }
      beatLater(as: node)
    }
  }
#endif
