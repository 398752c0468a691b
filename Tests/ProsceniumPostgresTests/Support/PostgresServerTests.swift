// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import PostgresTestServer
  import ProsceniumLocalPostgres
  import ProsceniumPrimitives
  import Testing

  /// The servers that tests have, and the proxies in front of them.
  @Suite(.timeLimit(.minutes(5))) struct PostgresServerTests {
    /// Waits for what another process does.
    private static func wait(_ isThere: () async throws -> Bool) async throws {
      while try await !isThere() { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Whether a task is still under way after a while.
    private static func hangs(_ task: Task<String, any Error>) async throws -> Bool {
      let hasEnded = Guarded(false)
      let watch = Task {
        _ = await task.result
        hasEnded.withLock { $0 = true }
      }
      try await Task.sleep(for: .milliseconds(400))
      watch.cancel()
      return hasEnded.withLock { !$0 }
    }

    @Test func `a private server starts, answers and leaves nothing behind`() async throws {
      let server = try await PostgresServer.start()
      #expect(try await server.sql("SELECT 1 + 1, 'a'") == "2|a")
      let database = try await server.makeDatabase()
      _ = try await server.sql("CREATE TABLE t AS SELECT 7 AS n", database: database)
      #expect(try await server.sql("SELECT n FROM t", database: database) == "7")
      await #expect(throws: ProgramFailure.self) { try await server.sql("SELECT n FROM t") }
      let processes = server.processes
      #expect(processes.count > 4)
      try await server.remove()
      #expect(processes.filter(PostgresServer.isRunning) == [])
      #expect(!FileManager.default.fileExists(atPath: server.home))
    }

    @Test func `a server asks for its password and has the settings that a test wants`()
      async throws
    {
      let server = try await PostgresServer.start(
        onDisk: true, settings: ["fsync": "off", "application_name": "it's"])
      #expect(!server.folder.hasPrefix("/dev/shm"))
      #expect(try await server.sql("SHOW fsync") == "off")
      #expect(try await server.sql("SHOW max_connections") == "200")
      let verifier = "SELECT rolpassword FROM pg_authid WHERE rolname = 'postgres'"
      #expect(try await server.sql(verifier).hasPrefix("SCRAM-SHA-256$"))
      #expect(
        server.url(database: "a/b", password: "p:@", options: ["connect_timeout": "5", "b": "c d"])
          == "postgres://postgres:p%3A%40@127.0.0.1:\(server.port)/a%2Fb?b=c%20d&connect_timeout=5")
      let psql = server.programs.path("psql")
      let answer = try await ServerPrograms.run([psql, "-XAtc", "SELECT 1", server.url()])
      #expect(answer == "1\n")
      await #expect(throws: ProgramFailure.self) {
        try await ServerPrograms.run([psql, "-XAtc", "SELECT 1", server.url(password: "wrong")])
      }
      try await server.remove()
    }

    @Test func `a server that was stopped or killed starts again with what was committed`()
      async throws
    {
      let server = try await PostgresServer.start()
      _ = try await server.sql("CREATE TABLE t (n int)")
      try await server.stop(mode: .immediate)
      #expect(server.processes == [])
      await #expect(throws: ProgramFailure.self) { try await server.sql("SELECT 1") }
      try await server.startAgain()
      _ = try await server.sql("INSERT INTO t VALUES (1)")
      let before = server.processes
      try await server.kill()
      #expect(before.filter(PostgresServer.isRunning) == [])
      try await server.startAgain()
      _ = try await server.sql("INSERT INTO t VALUES (2)")
      try await server.restart()
      #expect(try await server.sql("SELECT n FROM t ORDER BY n") == "1\n2")
      try await server.kill()
      try await server.remove()
      #expect(!FileManager.default.fileExists(atPath: server.home))
    }

    @Test func `a frozen server answers when it has thawed, and can be removed`() async throws {
      let server = try await PostgresServer.start()
      try server.freeze()
      let task = Task { try await server.sql("SELECT 1") }
      #expect(try await Self.hangs(task))
      try server.thaw()
      #expect(try await task.value == "1")
      try server.freeze()
      let processes = server.processes
      try await server.remove()
      #expect(processes.filter(PostgresServer.isRunning) == [])
    }

    @Test func `a server goes with its last reference`() async throws {
      let (home, processes) = try await {
        let server = try await PostgresServer.start()
        return (server.home, server.processes)
      }()
      try await Self.wait { !FileManager.default.fileExists(atPath: home) }
      #expect(processes.filter(PostgresServer.isRunning) == [])
    }

    @Test func `tests share a server, and have databases of their own`() async throws {
      async let first = PostgresServer.shared.server()
      async let second = PostgresServer.shared.server()
      let server = try await first
      #expect(try await second === server)
      async let one = server.makeDatabase()
      async let other = server.makeDatabase()
      let (name, otherName) = try await (one, other)
      #expect(name != otherName)
    }

    @Test func `a proxy passes everything, also much and also later`() async throws {
      let server = try await PostgresServer.shared.server()
      let proxy = try TCPProxy(to: server.port)
      let text = "SELECT repeat('x', 20000000)"
      #expect(try await server.sql(text, port: proxy.port).utf8.count == 20_000_000)
      try await Self.wait { proxy.openConnections == 0 }
      let long = "SELECT length('\(String(repeating: "x", count: 100_000))')"
      #expect(try await server.sql(long, port: proxy.port) == "100000")
      proxy.mode = .delay(.milliseconds(50))
      let start = ContinuousClock.now
      #expect(try await server.sql("SELECT 1", port: proxy.port) == "1")
      // Four times there and back: the name, the password, that it is right, and the query.
      #expect(ContinuousClock.now - start > .milliseconds(400))
      #expect(proxy.accepted == 3)
      proxy.close()
      await #expect(throws: ProgramFailure.self) {
        try await server.sql("SELECT 1", port: proxy.port)
      }
    }

    @Test(arguments: [TCPProxy.Mode.blackHole, .oneWay(toServer: true), .oneWay(toServer: false)])
    func `what does not pass goes on when it can`(_ mode: TCPProxy.Mode) async throws {
      let server = try await PostgresServer.shared.server()
      let proxy = try TCPProxy(to: server.port)
      defer { proxy.close() }
      proxy.mode = mode
      let task = Task { try await server.sql("SELECT 1", port: proxy.port) }
      try await Self.wait { proxy.openConnections == 1 }
      #expect(try await Self.hangs(task))
      proxy.mode = .forward
      #expect(try await task.value == "1")
    }

    @Test(arguments: [TCPProxy.Mode.forward, .blackHole, .oneWay(toServer: true)])
    func `a proxy cuts what is under way`(_ mode: TCPProxy.Mode) async throws {
      let server = try await PostgresServer.shared.server()
      let database = try await server.makeDatabase()
      let proxy = try TCPProxy(to: server.port)
      defer { proxy.close() }
      let task = Task {
        try await server.sql("SELECT pg_sleep(600)", database: database, port: proxy.port)
      }
      let running =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = '\(database)'"
        + " AND state = 'active'"
      try await Self.wait { try await server.sql(running) == "1" }
      proxy.mode = mode
      #expect(try await Self.hangs(task))
      proxy.cut()
      #expect(proxy.openConnections == 0)
      await #expect(throws: ProgramFailure.self) { try await task.value }
      proxy.mode = .forward
      #expect(try await server.sql("SELECT 1", database: database, port: proxy.port) == "1")
    }

    @Test func `a proxy cuts in the middle of a message, and refuses connections`() async throws {
      let server = try await PostgresServer.shared.server()
      let database = try await server.makeDatabase()
      let proxy = try TCPProxy(to: server.port)
      defer { proxy.close() }
      _ = try await server.sql("CREATE TABLE t (n text)", database: database)
      let insert = "INSERT INTO t VALUES ('\(String(repeating: "x", count: 50_000))')"
      proxy.cutAfter(bytes: 30_000)
      await #expect(throws: ProgramFailure.self) {
        try await server.sql(insert, database: database, port: proxy.port)
      }
      _ = try await server.sql(insert, database: database, port: proxy.port)
      #expect(try await server.sql("SELECT count(*) FROM t", database: database) == "1")
      proxy.mode = .refuse
      await #expect(throws: ProgramFailure.self) {
        try await server.sql("SELECT 1", database: database, port: proxy.port)
      }
      #expect(proxy.openConnections == 0)
    }
  }
#endif
