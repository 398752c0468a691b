// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import PostgresTestServer
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumPrimitives

  /// A database of its own on a server, and the stores that tests open on it.
  struct TestDatabase: Sendable {
    let server: PostgresServer
    let name: String
    /// A port between the store and the server, if there is one.
    var port: Int?
    /// A file by which a store knows that the one before has ended.
    var lockFile: String?

    static let key = [UInt8](repeating: 7, count: 32)

    /// Makes an empty database on the server that most tests share.
    static func make() async throws -> TestDatabase {
      let server = try await PostgresServer.shared.server()
      let name = try await server.makeDatabase()
      return TestDatabase(
        server: server, name: name, lockFile: "\(server.home)/\(name).lock")
    }

    /// Names a store on the database.
    func open(
      key: [UInt8] = TestDatabase.key, previous: [UInt8]? = nil,
      _ change: (inout PostgresStoreOptions) -> Void = { _ in }
    ) throws -> PostgresSessionStore {
      var options = PostgresStoreOptions()
      options.lockFile = lockFile
      options.lease = .seconds(1)
      change(&options)
      return try PostgresSessionStore(
        server.url(database: name, port: port),
        key: .callback { try ApplicationKeys(primary: key, previous: previous) }, options: options)
    }
  }

  extension TestDatabase {
    /// The same database without a file that says whether the store before has ended.
    var withoutLockFile: TestDatabase {
      TestDatabase(server: server, name: name, port: port)
    }

    /// The same database behind a proxy.
    func behind(_ proxy: TCPProxy) -> TestDatabase {
      TestDatabase(server: server, name: name, port: proxy.port, lockFile: lockFile)
    }

    /// Runs statements as the superuser, and gives what came out.
    @discardableResult
    func sql(_ text: String) async throws -> String {
      try await server.sql(text, database: name)
    }

    /// Waits until a condition holds on the server, which tells no one when it does.
    func wait(until condition: String) async throws {
      while try await sql(condition) != "t" { try await Task.sleep(for: .milliseconds(60)) }
    }

    /// How many sessions the tables have, how many of them are different, and how many states.
    func counts() async throws -> String {
      try await sql(
        """
        SELECT (SELECT count(*) FROM proscenium.session),
          (SELECT count(DISTINCT id) FROM proscenium.session),
          (SELECT count(*) FROM proscenium.state)
        """)
    }

    /// Has a statement run before each row that is written to a table, with the name `new` for it.
    func addTrigger(_ name: String, on table: String, _ statement: String) async throws {
      try await sql(
        """
        CREATE FUNCTION public.\(name)() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN \(statement) RETURN new; END $$;
        CREATE TRIGGER \(name) BEFORE INSERT OR UPDATE ON proscenium.\(table)
          FOR EACH ROW EXECUTE FUNCTION public.\(name)()
        """)
    }

    /// The number of the node that owns the store.
    func owner() async throws -> Int {
      Int(try await sql("SELECT DISTINCT owner FROM proscenium.slice")) ?? 0
    }

    /// Has a node taken for dead.
    func bury(_ node: Int) async throws {
      let victim = "FROM proscenium.node WHERE state <> 'x' AND node = \(node)"
      // After a sign of life in between the burial would come to nothing: that one waits.
      try await sql(
        """
        SELECT \(victim) FOR UPDATE;
        SELECT proscenium.bury_1(node, beat, ARRAY(SELECT node FROM proscenium.node)) \(victim)
        """)
    }
  }

  /// A store, and where it is.
  struct OpenedStore: SessionStore {
    let database: TestDatabase
    let store: PostgresSessionStore

    init(_ database: TestDatabase) throws {
      self.database = database
      store = try database.open()
    }

    func load(
      _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
    ) async throws -> StoreLoad { try await store.load(receive) }

    func seal(
      _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
    ) throws(StoreError) -> [UInt8] { try store.seal(state, of: session, epoch: epoch) }

    func commit(
      _ changes: [StoreChange]
    ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
      try await store.commit(changes)
    }

    func savedStates(
      of sessions: [SessionIdentifier]
    ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
      await store.savedStates(of: sessions)
    }

    func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
      try await store.setRestoring(isRestoring)
    }

    func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
      try await store.setRunningTime(milliseconds, epoch: epoch)
    }
  }

  extension SessionIdentifier {
    /// An identifier that is spread as random ones are.
    static func test(_ number: Int) -> SessionIdentifier {
      var generator = SplitMix64(seed: UInt64(number))
      return SessionIdentifier(high: generator.next(), low: generator.next())
    }
  }
#endif
