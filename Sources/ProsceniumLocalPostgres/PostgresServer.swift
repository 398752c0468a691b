// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation

  /// A PostgreSQL server for this process alone, on a port of 127.0.0.1.
  ///
  /// It is removed with its last reference, and when the process ends, however it does.
  package final class PostgresServer: Sendable {
    package enum StopMode: String, Sendable {
      /// Transactions are rolled back, and everything is written.
      case fast
      /// As a crash: the next start recovers from the log.
      case immediate
    }

    package let port: Int
    /// The password of the superuser, whose name is `postgres`.
    package let password: String
    /// The folder that has everything of the server, and goes with it.
    package let home: String
    package let programs: ServerPrograms
    private let watchdog: Watchdog

    /// The path of the data folder.
    package var folder: String { home + "/data" }

    /// Where PostgreSQL writes what it has to say.
    package var log: String { home + "/log" }

    private init(_ home: String, _ port: Int, _ password: String, _ programs: ServerPrograms)
      async throws
    {
      self.port = port
      self.password = password
      self.home = home
      self.programs = programs
      watchdog = try await Watchdog(over: home)
    }

    /// Makes a server in a temporary folder and starts it.
    ///
    /// The folder is in memory where it can be, unless it is to be on disk. Settings are those of
    /// `postgresql.conf`, in addition to the usual ones or instead of them.
    package static func start(onDisk: Bool = false, settings: [String: String] = [:]) async throws
      -> PostgresServer
    {
      let programs = try ServerPrograms.found()
      var attempts = 0
      while true {
        attempts += 1
        let name = "/proscenium-postgres-" + RandomText.make()
        // The watchdog is there before the folder is.
        let server = try await PostgresServer(
          parent(onDisk: onDisk) + name, freePort(), RandomText.make(), programs)
        do {
          try await server.make(settings)
          try await server.startAgain()
          return server
        } catch let error as ProgramFailure {
          guard attempts < 5, server.foundPortTaken else { throw error }
        }
      }
    }

    /// The address of a database, with options as `connect_timeout`.
    ///
    /// The port may be that of a proxy; otherwise it is the server's own.
    package func url(
      database: String = "postgres", user: String = "postgres", password: String? = nil,
      options: [String: String] = [:], port: Int? = nil
    ) -> String {
      let login = "\(Self.encoded(user)):\(Self.encoded(password ?? self.password))"
      let query = options.sorted { $0.key < $1.key }
        .map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }.joined(separator: "&")
      return "postgres://\(login)@127.0.0.1:\(port ?? self.port)/\(Self.encoded(database))"
        + (query.isEmpty ? "" : "?" + query)
    }

    private static func encoded(_ text: String) -> String {
      let plain = CharacterSet(charactersIn: "-._~").union(
        CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
          .union(CharacterSet(charactersIn: "0"..."9")))
      return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }

    /// Makes an empty database with a name of its own, which it gives.
    package func makeDatabase() async throws -> String {
      let name = "test_" + RandomText.make()
      // Unlike the usual template, this one has no connections that it would have to wait for.
      _ = try await sql("CREATE DATABASE \(name) TEMPLATE template0", database: "postgres")
      return name
    }

    /// Runs statements with `psql`, as the superuser and in one transaction.
    ///
    /// Gives what came out, a line for each row and `|` between columns, without the last line's
    /// end. The port may be that of a proxy. Throws ``ProgramFailure`` if a statement or the
    /// connection fails.
    package func sql(
      _ text: String, database: String = "postgres", port: Int? = nil
    ) async throws -> String {
      let output = try await ServerPrograms.run(
        [
          programs.path("psql"), "-X", "-A", "-t", "-w", "-v", "ON_ERROR_STOP=1",
          "-h", "127.0.0.1", "-p", String(port ?? self.port), "-U", "postgres", "-d", database,
          "-c", text,
        ], environment: ["PGPASSWORD": password])
      return output.hasSuffix("\n") ? String(output.dropLast()) : output
    }

    /// Stops the server, and keeps its folder.
    package func stop(mode: StopMode = .fast) async throws {
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner([
          programs.path("pg_ctl"), "--pgdata=\(folder)", "--mode=\(mode.rawValue)", "--wait",
          "--timeout=60", "--silent", "stop",
        ]), in: home)
    }

    /// Starts the server that was stopped or killed, in the same folder and on the same port.
    package func startAgain() async throws {
      // A number that another process may have by now.
      if postmaster == nil {
        try? FileManager.default.removeItem(atPath: folder + "/postmaster.pid")
      }
      _ = try await ServerPrograms.run(
        ServerPrograms.asOwner([
          "bash", "-c", Self.startScript, "bash", programs.path("pg_ctl"), folder, log,
          String(port),
        ]), in: home)
    }

    /// Stops the server and starts it again.
    package func restart(mode: StopMode = .fast) async throws {
      try await stop(mode: mode)
      try await startAgain()
    }

    /// Stops the server at once and removes its folder, also in a task that was cancelled.
    package func remove() async throws {
      try await Watchdog.remove(home)
    }
  }
#endif
