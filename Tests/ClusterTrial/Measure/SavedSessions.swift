// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// Sessions that are saved again and again, each with a state of 1 KiB of random bytes.
  struct SavedSessions: Sendable {
    private let store: PostgresSessionStore
    private let epoch: UInt32
    private let sessions: [SessionIdentifier]

    /// How many sessions one commit saves: two calls for each of the two connections.
    private static let batch = 1_024
    private static let stateSize = 1_024

    /// Fills a new store.
    init(_ store: PostgresSessionStore, count: Int) async throws {
      self.store = store
      var random = SplitMix64(seed: 1)
      sessions = (0..<count).map { _ in
        SessionIdentifier(high: random.next(), low: random.next())
      }
      epoch = try await store.load { _ in }.epoch
      for start in stride(from: 0, to: count, by: Self.batch) {
        let part = sessions[start..<min(start + Self.batch, count)]
        try await commit(
          part.map { ($0, .insert(SessionRow(persistentIdentifier: $0))) }
            + part.map { ($0, .save(try sealed($0, &random))) })
      }
    }

    private func sealed(
      _ session: SessionIdentifier, _ random: inout SplitMix64
    ) throws -> [UInt8] {
      var state: [UInt8] = []
      state.reserveCapacity(Self.stateSize)
      while state.count < Self.stateSize {
        unsafe withUnsafeBytes(of: random.next()) { unsafe state.append(contentsOf: $0) }
      }
      return try unsafe store.seal(state.span.bytes, of: session, epoch: epoch)
    }

    private func commit(_ changes: [(SessionIdentifier, StoreChange.Kind)]) async throws {
      let refused = try await store.commit(
        changes.map { StoreChange(session: $0.0, epoch: epoch, kind: $0.1) })
      if let error = refused.values.first { throw error }
    }

    /// Saves for a while.
    ///
    /// - Returns: How many states were saved in a second.
    func rate(for time: Duration, seed: UInt64) async throws -> Double {
      var random = SplitMix64(seed: seed)
      // What is saved is sealed before: it is the store that is measured.
      var prepared: [[(SessionIdentifier, StoreChange.Kind)]] = []
      for _ in 0..<16 {
        var changes: [(SessionIdentifier, StoreChange.Kind)] = []
        var chosen: Set<SessionIdentifier> = []
        while chosen.count < min(Self.batch, sessions.count) {
          let session = sessions[random.number(below: sessions.count)]
          guard chosen.insert(session).inserted else { continue }
          changes.append((session, .save(try sealed(session, &random))))
        }
        prepared.append(changes)
      }
      let clock = ContinuousClock()
      var (count, saving) = (0, Duration.zero)
      var turn = 0
      while saving < time {
        if turn == prepared.count {
          // Each state has a version of its own: an older one would not be written.
          for index in prepared.indices {
            prepared[index] = try prepared[index].map { session, _ in
              (session, .save(try sealed(session, &random)))
            }
          }
          turn = 0
        }
        let changes = prepared[turn]
        saving += try await clock.measure { try await commit(changes) }
        count += changes.count
        turn += 1
      }
      return Double(count) / (saving / .seconds(1))
    }
  }
#endif
