// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Foundation
  import PostgresTestServer
  import Proscenium
  import ProsceniumLocalPostgres
  import ProsceniumPostgres
  import ProsceniumSQLite
  import Testing

  /// The commands about stores in PostgreSQL, with a server.
  @Suite(.timeLimit(.minutes(10))) struct StoreCopyProgramTests {
    private let folder: TemporaryFolder
    private let server: PostgresServer
    private let database: String
    private var address: String { server.url(database: database) }
    /// The address as it is shown.
    private var place: String { "postgres://127.0.0.1:\(server.port)/\(database)" }
    private var path: String { folder.path + "/s" }

    init() async throws {
      folder = try TemporaryFolder()
      server = try await PostgresServer.shared.server()
      database = try await server.makeDatabase()
      try await SampleStore.make(at: path).store.close()
    }

    /// Runs the program, which says no password.
    private func run(_ arguments: String...) async throws -> ProgramRun {
      let run = try await ProgramRun(arguments)
      #expect(!(run.output + run.errors).contains(server.password))
      return run
    }

    private func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: - To PostgreSQL and back

    @Test func `a store is made, and roles may use it`() async throws {
      let role = "app_" + database
      _ = try await server.sql("CREATE ROLE \(role) LOGIN PASSWORD 'word'", database: database)
      let made = try await run("store", "init", address)
      #expect(made.status == 0, "\(made.errors)")
      #expect(made.output == "made a store in \(place)\n")
      let login = server.url(database: database, user: role, password: "word")
      let refused = try await run("store", "copy", path, login)
      #expect(refused.status == 2)
      let found = try await run("store", "init", address, "--grant", role)
      #expect(found.output == "found a store in \(place), granted to \(role)\n")
      let copy = try await run("store", "copy", path, login)
      #expect(copy.lastLine == "copied", "\(copy.errors)")
      let none = try await run("store", "init", address, "--grant", role, "--grant", "no_such_role")
      #expect(none.status == 2)
      #expect(none.errors.contains("role \"no_such_role\" does not exist"), "\(none.errors)")
    }

    @Test func `a store goes to PostgreSQL and back`() async throws {
      let forget = try await run("forget", path, "--session", "\(SampleStore.second)", "--yes")
      #expect(forget.status == 0, "\(forget.errors)")
      let verified = try await run("verify", path).output
      let key = ["--key", path + ".key"]
      // The second time everything is written again.
      for _ in 0..<2 {
        let copy = try await run("store", "copy", path, address)
        #expect(copy.status == 0, "\(copy.errors)")
        let lines = copy.output.split(separator: "\n")
        #expect(lines.first?.split(separator: " ") == ["sessions", "2"])
        #expect(lines.dropFirst(2).first?.split(separator: " ") == ["discarded", "1"])
        #expect(copy.lastLine == "copied")
      }
      let there = try await run("verify", address, "--key", path + ".key")
      #expect(there.output == verified, "\(there.errors)")
      let back = folder.path + "/back"
      let copy = try await run("store", "copy", address, back, key[0], key[1])
      #expect(copy.lastLine == "copied", "\(copy.errors)")
      #expect(try await run("verify", back).output == verified)
      #expect(try await run("verify", back, key[0], key[1]).status == 2)
      let lines = try await run("inspect", back).output.split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("\(SampleStore.second) ") && $0.contains("(disc") })
      let session = try await run("inspect", back, "--session", "\(SampleStore.first)")
      #expect(session.output.contains("\"title\": \"Draft\""))
    }

    @Test func `a copy between two files has the key that is asked for`() async throws {
      let (copy, key) = (folder.path + "/copy", folder.path + "/other.key")
      let made = try await run("store", "copy", path, copy, "--to-key", key)
      #expect(made.lastLine == "copied", "\(made.errors)")
      #expect(try await run("verify", copy, "--key", key).lastLine == "sound")
      #expect(try names() == ["copy", "copy.lock", "other.key", "s", "s.key", "s.lock"])
    }

    // MARK: - Looking

    @Test func `inspect shows what it shows of a file, but for what is not kept`() async throws {
      #expect(try await run("store", "copy", path, address).status == 0)
      let all = try await run("inspect", address)
      #expect(all.status == 0, "\(all.errors)")
      let lines = all.output.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[0].split(separator: " ") == ["sessions", "2"])
      let file = try await run("inspect", path).output.split(separator: "\n")
      #expect(lines.first { $0.hasPrefix("session ") } == file.first { $0.hasPrefix("session ") })
      let line = try #require(lines.first { $0.hasPrefix("\(SampleStore.first) ") })
      #expect(line.contains(" windowApplication       editor ") && line.contains(" -  "))
      #expect(line.hasSuffix(#""A\u001b[31m title""#))
      let objects = try await run("inspect", address, "--json").output.split(separator: "\n")
        .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
      try #require(objects.count == 3)
      #expect(objects[0].store == place && objects[0].sessions == 2)
      let first = try #require(objects.first { $0.session == "\(SampleStore.first)" })
      #expect(first.lastActivated == 12 && first.stateBytes ?? 0 > 20 && first.epoch == nil)
    }

    private struct Line: Decodable {
      let store: String?
      let sessions: Int?
      let session: String?
      let stateBytes: Int?
      let lastActivated: Int?
      let epoch: Int?
    }

    @Test func `inspect shows one session, and its state with the key`() async throws {
      #expect(try await run("store", "copy", path, address).status == 0)
      let session = ["--session", "\(SampleStore.first)"]
      let key = ["--key", path + ".key"]
      let open = try await run("inspect", address, session[0], session[1], key[0], key[1])
      #expect(open.status == 0, "\(open.errors)")
      #expect(open.output.hasPrefix("session         \(SampleStore.first)\nrole            window"))
      #expect(open.output.contains("\ncreated         -\n"))
      #expect(open.output.contains("\"title\": \"Draft\""))
      let sealed = try await run("inspect", address, session[0], session[1])
      #expect(sealed.status == 1)
      #expect(sealed.lastLine?.contains("it cannot be shown: no application key") == true)
      let other = try await run("inspect", address, "--session", "\(SampleStore.second)")
      #expect(other.status == 0)
      #expect(other.lastLine == "state           -")
      let none = try await run(
        "inspect", address, "--session", "\(SessionIdentifier(high: 9, low: 9))")
      #expect(none.status == 2)
      #expect(none.errors.hasSuffix("expected a session of \(place), found none.\n"))
    }

    @Test func `what is damaged is listed, and the rest is copied`() async throws {
      #expect(try await run("store", "copy", path, address).status == 0)
      _ = try await server.sql(
        "UPDATE proscenium.state SET sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30))",
        database: database)
      let verify = try await run("verify", address, "--key", path + ".key")
      #expect(verify.status == 1)
      #expect(verify.lastLine == "damaged: 1 thing, 1 session")
      let copy = try await run(
        "store", "copy", address, folder.path + "/copy", "--key", path + ".key")
      #expect(copy.status == 1)
      #expect(copy.output.hasPrefix("session \(SampleStore.first): its saved state: "))
      #expect(copy.lastLine == "damaged: 1 thing, 1 session")
      let lines = try await run("verify", folder.path + "/copy").output.split(separator: "\n")
      #expect(lines.first?.split(separator: " ") == ["sessions", "2"])
      #expect(lines.last == "sound")
    }

    // MARK: - What cannot be used

    @Test func `a store that is not there, or another key, changes nothing`() async throws {
      let other = folder.path + "/other.key"
      _ = try FileKeyProvider.file(other).keys()
      let before = try names()
      let (new, key) = (folder.path + "/new", path + ".key")
      for (arguments, message) in [
        ([folder.path + "/none", address], "expected a store, found no file."),
        ([address, new, "--key", key], "\(place): expected a store, found none."),
        ([path, address, "--key", other], "found another."),
        ([path, address, "--key", folder.path + "/none.key"], "expected a file, found none."),
        ([path, address, "--to-key", folder.path + "/none.key"], "expected a file, found none."),
      ] {
        let run = try await ProgramRun(["store", "copy"] + arguments)
        #expect(run.status == 2)
        #expect(run.errorLines == 1, "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(run.output.isEmpty)
      }
      #expect(try names() == before)
      let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'proscenium'"
      #expect(try await server.sql(schemas, database: database) == "0")
      let none = try await run("verify", address, "--key", key)
      #expect(none.output == "unusable\n" && none.status == 2)
    }

    @Test func `a store with other sessions, or with another key, is not written to`() async throws
    {
      #expect(try await run("store", "copy", path, address).status == 0)
      let other = folder.path + "/other"
      let store = try SQLiteSessionStore(path: other, key: .file(other + ".key"))
      try await store.close()
      let copy = try await run("store", "copy", other, address)
      #expect(copy.status == 2)
      #expect(copy.errors.contains("expected the application key"), "\(copy.errors)")
      let key = try await run("store", "copy", other, address, "--to-key", path + ".key")
      #expect(key.status == 2)
      #expect(key.errors.contains("expected a store without sessions"), "\(key.errors)")
      #expect(try await run("verify", address, "--key", path + ".key").lastLine == "sound")
    }

    @Test func `a store in use is not copied, and no file is made for it`() async throws {
      let store = try PostgresSessionStore(address, key: .file(path + ".key"))
      _ = try await store.load { _ in }
      let new = folder.path + "/new"
      let copy = try await run("store", "copy", address, new, "--key", path + ".key")
      #expect(copy.status == 2)
      #expect(copy.errors.contains("which is alive"), "\(copy.errors)")
      let other = try await run("store", "copy", path, address)
      #expect(other.status == 2)
      try await store.close()
      #expect(try names() == ["s", "s.key", "s.lock"])
      #expect(try await run("store", "copy", path, address).lastLine == "copied")
    }
  }
#endif
