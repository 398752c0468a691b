// SPDX-License-Identifier: Apache-2.0

#if Cluster
  @_exported public import ProsceniumCluster
  public import Proscenium
  import ProsceniumPrimitives
  @_exported public import ProsceniumSealing
  import ProsceniumStoring
  import Synchronization

  /// A PostgreSQL database as that which decides which node serves which slice, and keeps all
  /// sessions.
  ///
  /// It uses six connections: two that save, two that read, one for signs of life, and one for what
  /// is rare. The database is reached when the node is run, and again whenever a connection was
  /// lost.
  public final class PostgresAuthority: ClusterAuthority {
    /// What can be chosen of the connections.
    public typealias Options = PostgresStoreOptions

    private struct State: Sendable {
      var node: Int32?
      /// By what the database tells this run of the process from another one of that number.
      var run: Int64 = 0
      var configurations = ConfigurationNumbers()
      /// Whether there was an application key, which was checked and noted.
      var hasKey = false
    }

    let address: PostgresAddress
    let options: Options
    private let keyring: ApplicationKeyring
    let keys: SessionKeys
    private let state = Guarded(State())
    private let sealed = Atomic<UInt64>(0)
    let lanes: [PostgresLine]
    let readers: [PostgresLine]
    /// The thread of the signs of life.
    let beatExecutor = LineExecutor("proscenium.postgres.beats")
    /// On which nothing else runs: a sign of life never waits.
    let beats: PostgresLine
    /// For what is rare: joining, claiming, burying.
    let control: PostgresLine

    /// The largest encoded state, 128 MiB.
    static let stateLimit = 128 << 20

    /// Names a database; nothing is asked of the server yet.
    ///
    /// - Parameters:
    ///   - address: Where the database is: a URL such as `postgres://user@host:5432/database`, or
    ///     whatever libpq understands. What it leaves open is taken from libpq's environment.
    ///   - key: Where the application key comes from. While it gives none, sessions can be read and
    ///     made, but no state can be saved.
    ///   - options: What can be chosen; of these a node has a name, a lease and a lock file of its
    ///     own.
    /// - Throws: `unusable` if the address cannot be read.
    public convenience init(
      _ address: String, key: any KeyProvider, options: Options = Options()
    ) throws(StoreError) {
      self.init(try PostgresAddress(address), key: key, options: options)
    }

    init(_ address: PostgresAddress, key: any KeyProvider, options: Options) {
      self.address = address
      self.options = options
      keyring = ApplicationKeyring(key, path: address.place)
      keys = SessionKeys(capacity: options.keyCacheSize)
      func line(_ name: String) -> PostgresLine {
        PostgresLine(
          address, named: "proscenium", on: LineExecutor("proscenium.postgres.\(name)"), options)
      }
      lanes = (1...ClusterStore.lanes).map { line("lane\($0)") }
      readers = (1...2).map { line("reader\($0)") }
      beats = PostgresLine(address, named: "proscenium", on: beatExecutor, options)
      control = line("control")
    }

    var place: String { address.place }

    /// The number under which this process has joined last.
    var node: Int32? { state.withLock { $0.node } }

    // MARK: - Opening

    /// Makes what is missing, checks the application key, and rotates the keys of sessions if there
    /// is a new one.
    package func open() async throws(StoreError) -> ClusterFacts {
      try await prepare()
      let runningTime = try await checkKey()
      try await readConfigurations()
      return ClusterFacts(sliceBits: PostgresSchema.sliceBits, runningTime: runningTime)
    }

    /// Makes sure that the database has the tables of this version.
    ///
    /// - Throws: `unusable` or `newerVersion`; what the server refuses.
    func prepare() async throws(StoreError) {
      let place = place
      let refusal = try await call { (connection) throws(PostgresFailure) in
        try PostgresSchema.prepare(connection, at: place)
      }
      if let refusal { throw refusal }
    }

    /// Checks the application key and notes it, or leaves that to the first state if there is none.
    ///
    /// - Returns: How many milliseconds applications have run on the store.
    @discardableResult
    func checkKey() async throws(StoreError) -> Int64 {
      let (runningTime, hasKey) = try await KeyRotation(
        line: control, place: place, keyring: keyring
      ).run()
      state.withLock { $0.hasKey = hasKey }
      return runningTime
    }

    /// The database's mark of the run that has joined last.
    var run: Int64 { state.withLock { $0.run } }

    /// Gives the connections the name of a node, by which a burial finds them.
    func take(_ node: Int32, run: Int64) async {
      // Another process may have written other keys since.
      keys.forgetAll()
      state.withLock { state in
        state.node = node
        state.run = run
      }
      await beats.rename(Self.name(of: "beats", node: node))
      await control.rename(Self.name(of: "control", node: node))
      for (number, lane) in lanes.enumerated() {
        await lane.rename(Self.name(of: Self.lane(number), node: node))
      }
      for (number, reader) in readers.enumerated() {
        await reader.rename(Self.name(of: "reader\(number + 1)", node: node))
      }
    }

    /// What one of the connections that save is called.
    static func lane(_ number: Int) -> String { "lane\(number + 1)" }

    /// The name of one of a node's connections.
    static func name(of line: String, node: Int32) -> String { "proscenium \(node) \(line)" }

    /// Runs rare calls.
    func call<Success: Sendable>(
      _ body: @escaping @Sendable (PostgresConnection) throws(PostgresFailure) -> Success
    ) async throws(StoreError) -> Success {
      do throws(PostgresFailure) {
        return try await control.run(body)
      } catch {
        throw error.error(at: place)
      }
    }

    /// Ends the connections.
    package func close() async {
      for line in lanes + readers + [control, beats] { await line.close() }
    }

    // MARK: - Keys

    /// The application's keys.
    func ring() throws(StoreError) -> KeyRing {
      try StoreError.sealing { () throws(SealingError) in try keyring.ring() }
    }

    /// Makes sure that the application key is known before a state is written with it.
    func checkKeyOnce() async throws(StoreError) {
      if !state.withLock({ $0.hasKey }) { try await checkKey() }
    }

    package func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8] {
      guard state.byteCount <= Self.stateLimit else {
        throw StoreError(
          .limitExceeded, session: session,
          "expected a state of at most \(Self.stateLimit) bytes, found \(state.byteCount).")
      }
      let entry = try keys.next(of: session) { () throws(StoreError) in try ring() }
      let count = sealed.wrappingAdd(1, ordering: .relaxed).newValue
      guard epoch >> 23 == 0, count >> 40 == 0 else {
        throw StoreError(
          .limitExceeded, "\(place): expected a slice that changed its owner less often.")
      }
      let place = RecordPlace(stateOf: session, version: UInt64(epoch) << 40 | count)
      let record = try StoreError.sealing(session) { () throws(SealingError) in
        try RecordSealer.seal(state, as: place, with: entry.seal)
      }
      return SealedState.bytes(record, entry.wrapped)
    }

    package func version(of sealed: [UInt8]) -> UInt64? {
      SealedState(sealed).map { UInt64(bitPattern: $0.version) }
    }

    // MARK: - Configurations

    /// Reads the configurations that the database has.
    @discardableResult
    func readConfigurations() async throws(StoreError) -> ConfigurationNumbers {
      let configurations = try await call { (connection) throws(PostgresFailure) in
        try ConfigurationNumbers(connection)
      }
      state.withLock { $0.configurations = configurations }
      return configurations
    }

    /// The configurations that are known.
    var configurations: ConfigurationNumbers { state.withLock { $0.configurations } }

    /// The numbers of the configurations that drafts bring; new ones are written first.
    func numbers(
      of drafts: [SessionDraft]
    ) async throws(StoreError) -> [StoredConfiguration: Int16] {
      let known = configurations.numbers
      let new = Set(drafts.lazy.compactMap(\.row?.configuration)).filter { known[$0] == nil }
      if new.isEmpty { return known }
      let numbered = try await call { (connection) throws(PostgresFailure) in
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
  }
#endif
