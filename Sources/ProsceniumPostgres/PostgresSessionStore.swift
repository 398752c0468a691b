// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium
  import ProsceniumPrimitives
  @_exported public import ProsceniumSealing
  @_exported public import ProsceniumStoring

  /// A store in a PostgreSQL database, for an application that runs in one process at a time.
  ///
  /// Sessions are rows that any tool can read; saved states are sealed before they leave the
  /// process. What was committed survives the end of the process, and of the server's machine as
  /// far as the server's own settings promise it. One process uses the store; another one waits
  /// until it has ended, or is told that the store is in use. A process that was taken for dead can
  /// write nothing any more.
  ///
  /// The database is reached when the store is loaded, and again whenever the connection was lost.
  public final class PostgresSessionStore: SessionStore {
    /// What can be chosen of a store.
    public typealias Options = PostgresStoreOptions

    let authority: PostgresAuthority
    private let ownership: StoreOwnership
    let sessions: ClusterStore
    private let epoch = Guarded<UInt32?>(nil)

    /// Names a store; nothing is asked of the server yet.
    ///
    /// - Parameters:
    ///   - address: Where the database is: a URL such as `postgres://user@host:5432/database`, or
    ///     whatever libpq understands. What it leaves open is taken from libpq's environment.
    ///   - key: Where the application key comes from. While it gives none, sessions can be read and
    ///     made, but no state can be saved.
    ///   - options: What can be chosen.
    /// - Throws: `unusable` if the address cannot be read; `inUse` if another process of this
    ///   machine has the lock file; `failed` if the system refuses that file.
    public init(
      _ address: String, key: any KeyProvider, options: Options = Options()
    ) throws(StoreError) {
      authority = PostgresAuthority(try PostgresAddress(address), key: key, options: options)
      ownership = try StoreOwnership(authority)
      sessions = ClusterStore(
        authority, ClusterFacts(sliceBits: PostgresSchema.sliceBits, runningTime: 0),
        elapsed: options.clock.stopwatch()
      ) { losses in
        options.didLose?(CommitLosses(losses))
      }
    }

    var place: String { authority.place }

    // MARK: - Loading

    /// Takes the store over and reads the rows of all sessions; a new epoch begins.
    ///
    /// It waits for the lease if a process that used the store has not said that it ended.
    ///
    /// - Parameter receive: Is given the rows.
    /// - Returns: The epoch, and what concerns the store as a whole.
    /// - Throws: `inUse` if another process uses the store; `unusable` if there is none that the
    ///   role may use or make, or if the server refuses the role; `newerVersion`; `wrongKey` if the
    ///   store is sealed with another key; `failed` if the server cannot be reached; or what
    ///   `receive` throws.
    public func load(
      _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
    ) async throws -> StoreLoad {
      try await sessions.commitRecency()
      let claim = try await ownership.claim()
      let runningTime = try await authority.checkKey()
      let configurations = try await authority.readConfigurations()
      guard let map = try await authority.map(for: claim.node) else { throw fenced() }
      let tenures = sessions.take(SliceStanding(map, of: claim.node))
      sessions.begin(Dictionary(uniqueKeysWithValues: zip(tenures.indices, tenures)))
      let pages = Guarded(RowPages())
      let next = {
        @Sendable [readers = authority.readers, place] () async throws(StoreError) -> [SessionRow]
        in
        do throws(PostgresFailure) {
          return try await readers[0].run { (connection) throws(PostgresFailure) in
            try pages.withLock { (pages) throws(PostgresFailure) in
              try pages.next(configurations, on: connection)
            }
          }
        } catch {
          throw error.error(at: place)
        }
      }
      var rows = try await next()
      while !rows.isEmpty {
        // The next ones are read while these are taken.
        async let following = next()
        for start in stride(from: 0, to: rows.count, by: 1_024) {
          try receive(Array(rows[start..<min(start + 1_024, rows.count)]))
        }
        rows = try await following
      }
      epoch.withLock { $0 = claim.epoch }
      return StoreLoad(
        epoch: claim.epoch, isRestoring: claim.isRestoring, runningTime: runningTime)
    }

    /// The epoch of the last load.
    func loadedEpoch() throws(StoreError) -> UInt32 {
      guard let epoch = epoch.withLock({ $0 }) else {
        throw StoreError(
          .failed, "\(place): expected a store that was loaded, found one that was not.")
      }
      return epoch
    }

    /// What those are told whose store another process has taken over.
    func fenced() -> StoreError {
      StoreError(.fenced, "\(place): another process has taken the store over since.")
    }

    // MARK: - Saving

    /// Seals an encoded state, so that it can be committed.
    ///
    /// - Parameters:
    ///   - state: The encoded state.
    ///   - session: The session; its insertion may be committed later.
    ///   - epoch: The epoch in which it is to be saved.
    /// - Returns: What a change brings.
    /// - Throws: `keyUnavailable` while there is no key; `limitExceeded` if the state is too large.
    public func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8] {
      _ = try loadedEpoch()
      return try authority.seal(state, of: session, epoch: epoch)
    }

    /// Applies changes, all or none of each session, and returns when the server has committed
    /// them.
    ///
    /// - Parameter changes: In order.
    /// - Returns: The sessions of which nothing was written, and why: `fenced` if a change comes
    ///   from an earlier epoch, or another process has taken the store over.
    /// - Throws: `full` or `failed` if the server refuses or cannot be reached. Then the changes of
    ///   some sessions may have been applied; offering them again does no harm.
    public func commit(
      _ changes: [StoreChange]
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      _ = try loadedEpoch()
      return try await sessions.commit(changes)
    }

    /// Ends the connections as the end of the process would.
    package func abandon() async {
      epoch.withLock { $0 = nil }
      ownership.abandon()
      await authority.close()
    }

    /// Closes the store: writes the activations that wait, gives the store back, and ends the
    /// connections.
    ///
    /// Whatever is asked for afterwards throws. After a store that is not closed the next process
    /// waits for the lease.
    ///
    /// - Throws: `full` or `failed` if the server refuses; the store is closed all the same.
    public func close() async throws(StoreError) {
      var refusal: StoreError?
      do throws(StoreError) {
        try await sessions.commitRecency()
      } catch {
        refusal = error
      }
      await ownership.leave()
      await abandon()
      if let refusal { throw refusal }
    }
  }
#endif
