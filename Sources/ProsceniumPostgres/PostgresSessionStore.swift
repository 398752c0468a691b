// SPDX-License-Identifier: Apache-2.0

#if Cluster
  public import Proscenium
  import ProsceniumPrimitives
  @_exported public import ProsceniumSealing
  @_exported public import ProsceniumStoring
  import Synchronization

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

    private struct State: Sendable {
      var epoch: UInt32?
      var configurations = ConfigurationNumbers()
      var recency = Recency()
      /// Whether there was an application key, which was checked and noted.
      var hasKey = false
    }

    private let options: Options
    let ownership: StoreOwnership
    private let keyring: ApplicationKeyring
    let keys: SessionKeys
    private let lanes: [SavingLane]
    let readers: [PostgresLine]
    private let state = Guarded(State())
    private let sealed = Atomic<UInt64>(0)

    /// The largest encoded state, 128 MiB.
    static let stateLimit = 128 << 20

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
      let address = try PostgresAddress(address)
      self.options = options
      ownership = try StoreOwnership(address, options)
      keyring = ApplicationKeyring(key, path: address.place)
      keys = SessionKeys(capacity: options.keyCacheSize)
      lanes = (1...2).map { [ownership] in SavingLane($0, ownership, options) }
      readers = (1...2).map { number in
        PostgresLine(
          address, named: "proscenium",
          on: LineExecutor("proscenium.postgres.reader\(number)"), options)
      }
    }

    var place: String { ownership.address.place }

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
      try await commitRecency()
      let claim = try await ownership.claim()
      // Another process may have written other keys since.
      keys.forgetAll()
      if let node = ownership.node {
        for lane in lanes { await lane.join(as: node) }
        for (number, reader) in readers.enumerated() {
          await reader.rename(StoreOwnership.name(of: "reader\(number + 1)", node: node))
        }
      }
      let runningTime = try await checkKey()
      let configurations = try await ownership.call { (connection) throws(PostgresFailure) in
        try ConfigurationNumbers(connection)
      }
      let pages = Guarded(RowPages())
      let next = { @Sendable [readers, place] () async throws(StoreError) -> [SessionRow] in
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
      state.withLock { state in
        state.epoch = claim.epoch
        state.configurations = configurations
      }
      return StoreLoad(
        epoch: claim.epoch, isRestoring: claim.isRestoring, runningTime: runningTime)
    }

    /// Checks the application key and notes it, or leaves that to the first state if there is none.
    ///
    /// - Returns: How many milliseconds applications have run on the store.
    @discardableResult
    private func checkKey() async throws(StoreError) -> Int64 {
      let (runningTime, hasKey) = try await KeyRotation(ownership: ownership, keyring: keyring)
        .run()
      state.withLock { $0.hasKey = hasKey }
      return runningTime
    }

    /// The application's keys.
    func ring() throws(StoreError) -> KeyRing {
      try StoreError.sealing { () throws(SealingError) in try keyring.ring() }
    }

    /// The epoch of the last load.
    func loadedEpoch() throws(StoreError) -> UInt32 {
      guard let epoch = state.withLock({ $0.epoch }) else {
        throw StoreError(
          .failed, "\(place): expected a store that was loaded, found one that was not.")
      }
      return epoch
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
      guard state.byteCount <= Self.stateLimit else {
        throw StoreError(
          .limitExceeded, session: session,
          "expected a state of at most \(Self.stateLimit) bytes, found \(state.byteCount).")
      }
      _ = try loadedEpoch()
      let entry = try keys.next(of: session) { () throws(StoreError) in try ring() }
      let count = sealed.wrappingAdd(1, ordering: .relaxed).newValue
      guard epoch >> 23 == 0, count >> 40 == 0 else {
        throw StoreError(
          .limitExceeded, "\(place): expected a store that was loaded and sealed less often.")
      }
      let place = RecordPlace(stateOf: session, version: UInt64(epoch) << 40 | count)
      let record = try StoreError.sealing(session) { () throws(SealingError) in
        try RecordSealer.seal(state, as: place, with: entry.seal)
      }
      return SealedState.bytes(record, entry.wrapped)
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
      let epoch = try loadedEpoch()
      var refusals: [SessionIdentifier: StoreError] = [:]
      var drafts = SessionDraft.fold(changes, epoch: epoch, &refusals)
      let now = options.now()
      state.withLock { state in
        state.recency.take(from: &drafts)
        if state.recency.time != now { state.recency.add(to: &drafts, epoch: epoch) }
      }
      if drafts.isEmpty { return refusals }
      refusals.merge(try await write(drafts)) { first, _ in first }
      state.withLock { $0.recency.time = now }
      return refusals
    }

    /// Writes the activations that wait.
    private func commitRecency() async throws(StoreError) {
      var drafts: [SessionDraft] = []
      state.withLock { state in
        if let epoch = state.epoch { state.recency.add(to: &drafts, epoch: epoch) }
      }
      if !drafts.isEmpty { _ = try await write(drafts) }
    }

    /// Writes drafts, those of each lane in order.
    private func write(
      _ drafts: [SessionDraft]
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      // A key that was not there at the load is known from the first state on.
      if !state.withLock({ $0.hasKey }), drafts.contains(where: { $0.saved != nil }) {
        try await checkKey()
      }
      let numbers = try await numbers(of: drafts)
      let halves = [0, 1].map { half in drafts.filter { $0.session.spread >> 63 == half } }
      async let second = save(halves[1], on: lanes[1], numbers)
      let first = await save(halves[0], on: lanes[0], numbers)
      return try first.get().merging(await second.get()) { first, _ in first }
    }

    private func save(
      _ drafts: [SessionDraft], on lane: SavingLane, _ numbers: [StoredConfiguration: Int16]
    ) async -> Result<[SessionIdentifier: StoreError], StoreError> {
      let call = { [keys] (drafts: [SessionDraft]) in
        SaveCall(drafts, numbers, isStored: keys.isStored)
      }
      do throws(StoreError) {
        var refusals: [SessionIdentifier: StoreError] = [:]
        for part in SaveCall.parts(of: drafts) {
          let saved = call(Array(part))
          let refused = try await lane.save(saved) { call([$0]) }
          note(saved, without: refused)
          refusals.merge(refused) { first, _ in first }
        }
        return .success(refusals)
      } catch {
        return .failure(error)
      }
    }

    /// Notes what was written.
    private func note(_ call: SaveCall, without refused: [SessionIdentifier: StoreError]) {
      state.withLock { state in
        for draft in call.drafts { state.recency.forget(draft.session) }
      }
      for draft in call.drafts where refused[draft.session] == nil {
        let session = draft.session
        if let key = call.keyed[session] {
          keys.noteStored(session, key)
        } else if draft.isInsertion {
          keys.noteStored(session, nil)
        } else if draft.removes {
          keys.forget(session)
        }
      }
    }

    /// The numbers of the configurations that drafts bring; new ones are written first.
    private func numbers(
      of drafts: [SessionDraft]
    ) async throws(StoreError) -> [StoredConfiguration: Int16] {
      let known = state.withLock { $0.configurations.numbers }
      let new = Set(drafts.lazy.compactMap(\.row?.configuration)).filter { known[$0] == nil }
      if new.isEmpty { return known }
      let numbered = try await ownership.call { (connection) throws(PostgresFailure) in
        var numbered: [(StoredConfiguration, Int16)] = []
        for configuration in new {
          numbered.append(
            (configuration, try ConfigurationNumbers.number(of: configuration, on: connection)))
        }
        return numbered
      }
      return state.withLock { state in
        for (configuration, number) in numbered { state.configurations.add(number, configuration) }
        return state.configurations.numbers
      }
    }

    /// Ends the connections as the end of the process would.
    package func abandon() async {
      state.withLock { $0.epoch = nil }
      for lane in lanes { await lane.close() }
      for reader in readers { await reader.close() }
      await ownership.abandon()
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
        try await commitRecency()
      } catch {
        refusal = error
      }
      await ownership.leave()
      await abandon()
      if let refusal { throw refusal }
    }
  }
#endif
