// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumSQLite
import Testing

/// The commands about stores, as their users meet them.
@Suite(.timeLimit(.minutes(20))) struct StoreProgramTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/s" }

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let (first, second) = (SampleStore.first, SampleStore.second)

  /// Makes a store with two sessions, of which the first has a state.
  private func makeStore() async throws -> (store: SQLiteSessionStore, record: [UInt8]) {
    try await SampleStore.make(at: path)
  }

  private func contents() throws -> [UInt8] {
    [UInt8](try #require(FileManager.default.contents(atPath: path)))
  }

  // MARK: - inspect

  @Test func `inspect shows totals and a line for each session`() async throws {
    try await makeStore().store.close()
    let run = try await ProgramRun(["inspect", path])
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].split(separator: " ") == ["sessions", "2"])
    #expect(run.output.contains("\n\nsession                                role "))
    let line = try #require(lines.first { $0.hasPrefix("\(Self.first) ") })
    #expect(line.contains(" windowApplication       editor "))
    #expect(line.hasSuffix(#""A\u001b[31m title""#))
    #expect(lines.contains { $0.hasPrefix("\(Self.second) ") && $0.hasSuffix("  -") })
    #expect(run.errors.isEmpty)
  }

  @Test func `inspect shows one session with its state`() async throws {
    try await makeStore().store.close()
    let run = try await ProgramRun(["inspect", path, "--session", "\(Self.first)"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("session         \(Self.first)\nrole            window"))
    #expect(run.output.contains("\ncan activate    SELF == \"a\"\n"))
    #expect(run.output.contains("captured in epoch 1\n\n{\n"))
    #expect(run.output.contains("\"title\": \"Draft\""))
    #expect(run.lastLine == "}")
    let none = try await ProgramRun(["inspect", path, "--session", "\(Self.second)"])
    #expect(none.status == 0)
    #expect(none.lastLine == "state           -")
  }

  @Test func `inspect writes an object a line`() async throws {
    struct Line: Decodable {
      struct State: Decodable {
        struct Activity: Decodable { let title: String }
        let activity: Activity
      }
      let store: String?
      let sessions: Int?
      let session: String?
      let stateBytes: Int?
      let lastActivated: Int?
      let state: State?
    }
    try await makeStore().store.close()
    func lines(_ arguments: String...) async throws -> [Line] {
      try await ProgramRun(["inspect", path, "--json"] + arguments).output.split(separator: "\n")
        .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    }
    let all = try await lines()
    try #require(all.count == 3)
    #expect(all[0].store == path && all[0].sessions == 2)
    #expect(all[1].session == "\(Self.first)" && all[1].lastActivated == 12)
    #expect(all[1].stateBytes ?? 0 > 20 && all[1].state == nil)
    #expect(all[2].session == "\(Self.second)" && all[2].stateBytes == nil)
    #expect(try await lines("--session", "\(Self.first)").first?.state?.activity.title == "Draft")
  }

  @Test func `inspect without the key shows everything but the state`() async throws {
    try await makeStore().store.close()
    try FileManager.default.removeItem(atPath: path + ".key")
    #expect(try await ProgramRun(["inspect", path]).status == 0)
    let run = try await ProgramRun(["inspect", path, "--session", "\(Self.first)"])
    #expect(run.status == 1)
    #expect(run.lastLine?.hasSuffix("s.key: expected a file, found none.") == true)
    #expect(!FileManager.default.fileExists(atPath: path + ".key"))
    let none = try await ProgramRun(["inspect", path, "--session", "\(Self.second)"])
    #expect(none.status == 0)
  }

  // MARK: - verify

  @Test func `verify finds a sound store sound`() async throws {
    try await makeStore().store.close()
    let run = try await ProgramRun(["verify", path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lastLine == "sound")
    #expect(run.output.hasPrefix("sessions      2\nsaved states  1"))
  }

  @Test func `verify names the session whose state is damaged`() async throws {
    let (store, record) = try await makeStore()
    try await store.close()
    var bytes = try contents()
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: record) })
    bytes[place + 30] ^= 4
    _ = try folder.file("s", Data(bytes))
    let run = try await ProgramRun(["verify", path])
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("session \(Self.first): its saved state: "))
    #expect(run.lastLine == "damaged: 1 thing, 1 session")
    let shown = try await ProgramRun(["inspect", path, "--session", "\(Self.first)"])
    #expect(shown.status == 1)
    #expect(shown.lastLine?.contains("it cannot be shown: ") == true)
  }

  // MARK: - What cannot be used

  @Test(arguments: ["inspect", "verify", "forget"])
  func `what is no store of this version is refused in one line`(command: String) async throws {
    try await makeStore().store.close()
    let bytes = try contents()
    var newer = bytes
    newer[63] = 99
    let cases: [(name: String, bytes: [UInt8]?, message: String)] = [
      ("missing", nil, "expected a store, found no file."), ("dir", nil, "found a directory."),
      ("empty", [], "expected a store, found an empty file."),
      ("text", Array("something else".utf8), "expected a store, found a file that is no database."),
      ("newer", newer, "found version 99: a newer program wrote it."),
      ("truncated", Array(bytes[..<(bytes.count - 2_000)]), "the file was cut off"),
      ("page", Array(bytes[..<4_096]), "the file was cut off"),
      ("short", Array(bytes[..<300]), "the file was cut off"),
    ]
    try FileManager.default.createDirectory(
      atPath: folder.path + "/dir", withIntermediateDirectories: false)
    for (name, bytes, message) in cases {
      if let bytes { _ = try folder.file(name, Data(bytes)) }
      var arguments = [command, folder.path + "/" + name, "--key", path + ".key"]
      if command == "forget" { arguments += ["--all", "--yes"] }
      let run = try await ProgramRun(arguments)
      #expect(run.isExit && run.status == 2, "\(name)")
      #expect(run.output == (command == "verify" ? "unusable\n" : ""), "\(name)")
      #expect(run.errorLines == 1, "\(run.errors)")
      #expect(run.errors.hasPrefix("proscenium: \(folder.path)/\(name): "), "\(run.errors)")
      #expect(run.errors.contains(message), "\(name): \(run.errors)")
    }
  }

  @Test func `another key is refused`() async throws {
    try await makeStore().store.close()
    let other = try FileKeyProvider.file(folder.path + "/other").keys()
    #expect("\(other)" == "an application key")
    let key = ["--key", folder.path + "/other"]
    for arguments in [
      ["verify", path], ["inspect", path, "--session", "\(Self.first)"],
    ] {
      let run = try await ProgramRun(arguments + key)
      #expect(run.status == 2)
      #expect(run.errors.contains("that the store is sealed with, found another."))
    }
  }

  // MARK: - backup

  @Test func `backup makes one file that verifies, and replaces nothing`() async throws {
    let (store, _) = try await makeStore()
    let copy = folder.path + "/copy"
    let run = try await ProgramRun(["backup", path, copy])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasSuffix(" kB in \(copy)\n"))
    #expect(try await ProgramRun(["verify", copy, "--key", path + ".key"]).lastLine == "sound")
    let again = try await ProgramRun(["backup", path, copy])
    #expect(again.status == 2)
    #expect(again.errors.hasSuffix("found that there is one already.\n"))
    #expect(try await ProgramRun(["backup", folder.path + "/none", copy + "2"]).status == 2)
    try await store.close()
  }

  // MARK: - forget

  @Test func `forget destroys the key of one session`() async throws {
    try await makeStore().store.close()
    let run = try await ProgramRun(["forget", path, "--session", "\(Self.first)", "--yes"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "1 session discarded\n")
    let lines = try await ProgramRun(["inspect", path]).output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("\(Self.first) ") && $0.contains("(discarded)") })
    #expect(lines.contains { $0.hasPrefix("\(Self.second) ") && !$0.contains("(discarded)") })
    let session = try await ProgramRun(["inspect", path, "--session", "\(Self.first)"])
    #expect(!session.output.contains("Draft"))
    #expect(try await ProgramRun(["verify", path]).lastLine == "sound")
  }

  @Test func `forget asks, and needs --yes where no user can answer`() async throws {
    try await makeStore().store.close()
    let unasked = try await ProgramRun(["forget", path, "--all"])
    #expect(unasked.status == 2)
    #expect(unasked.errors.contains("expected --yes"))
    let all = try await ProgramRun(["forget", path, "--all", "--yes"])
    #expect(all.status == 0)
    #expect(all.output == "2 sessions discarded\n")
    #expect(
      try await ProgramRun(["forget", path, "--all", "--yes"]).output == "0 sessions discarded\n")
    for arguments in [
      [], ["--all", "--session", "\(Self.first)"], ["--session", "x"],
      ["--session", "\(SessionIdentifier(high: 9, low: 9))", "--yes"],
    ] {
      let run = try await ProgramRun(["forget", path] + arguments)
      #expect(run.status == 2 && run.output.isEmpty, "\(arguments)")
    }
  }

  // MARK: - While it is in use

  @Test func `a store in use can be looked at, and nothing in it be forgotten`() async throws {
    let (store, _) = try await makeStore()
    #expect(try await ProgramRun(["inspect", path]).output.contains("\(Self.first) "))
    #expect(try await ProgramRun(["verify", path]).lastLine == "sound")
    let run = try await ProgramRun(["forget", path, "--all", "--yes"])
    #expect(run.status == 2)
    #expect(run.errors.contains("found it in use by process \(getpid())"), "\(run.errors)")
    #expect(try store.savedState(of: Self.first) != nil)
    try await store.close()
  }
}
