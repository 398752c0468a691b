// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium replay --store`, killed and given again.
@Suite(.timeLimit(.minutes(20))) struct ReplayStoreProgramTests {
  private let folder: TemporaryFolder
  private let log: String
  private let store: String

  init() async throws {
    folder = try TemporaryFolder()
    log = folder.path + "/access.log"
    store = folder.path + "/windows.store"
    let run = try await ProgramRun([
      "generate-log", "--lines", "2000", "--users", "150", "--malformed", "3", "--output", log,
    ])
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test func `a replay that is killed four times goes on and is verified`() async throws {
    let size = try Data(contentsOf: URL(fileURLWithPath: log)).count
    var generator = SystemRandomNumberGenerator()
    var ends: [Int] = []
    var kills: [Int] = []
    for _ in 1...4 {
      // Killed while it works on what it has got so far: a part of the log, at least what a pipe
      // and the reader's buffer hold.
      let bytes = Int.random(in: 140_000...size, using: &generator)
      kills.append(bytes)
      let run = try await killedRun(bytes: bytes, flags: ["--connected", "20"])
      // One that is killed while it compares the log with the store has not said where it goes on.
      if let end = continuation(of: run) { ends.append(end) }
    }
    let last = try await ProgramRun(["replay", log, "--connected", "20", "--store", store])
    ends.append(continuation(of: last) ?? 0)
    #expect(last.status == 0, "\(last.output)\(last.errors), killed after \(kills) bytes")
    #expect(last.lastLine == "verified")
    #expect(ends == ends.sorted(), "killed after \(kills) bytes")
    #expect(ends.last ?? 0 > 0, "killed after \(kills) bytes")
    let again = try await ProgramRun(["replay", log, "--shards", "2", "--store", store])
    #expect(again.status == 0, "\(again.errors)")
    // The last line is malformed: it holds no request that could be kept, and is read again.
    #expect(continuation(of: again) == 1_999)
    #expect(again.lastLine == "verified")
  }

  /// Gives the program a part of the log, and kills it then.
  private func killedRun(bytes: Int, flags: [String]) async throws -> ProgramRun {
    let fifo = folder.path + "/fifo"
    let flags = flags.joined(separator: " ")
    return try await ProgramRun(
      shell: """
        rm -f '\(fifo)' && mkfifo '\(fifo)'
        "$program" replay - --store '\(store)' \(flags) < '\(fifo)' &
        exec 3> '\(fifo)'
        head -c \(bytes) '\(log)' >&3
        kill -9 $!
        wait
        """)
  }

  private func continuation(of run: ProgramRun) -> Int? {
    let line = run.output.split(separator: "\n").first { $0.hasPrefix("continued after line ") }
    return line.flatMap { Int($0.dropFirst("continued after line ".count)) }
  }

  @Test func `a key of its own opens the store, and no other one does`() async throws {
    let key = folder.path + "/own.key"
    let small = try folder.file("small.log", try folder.text("access.log").prefix(20_000) + "\n")
    let run = try await ProgramRun(["replay", small, "--store", store, "--key", key])
    #expect(run.status == 0, "\(run.errors)")
    let mode = try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(!FileManager.default.fileExists(atPath: store + ".key"))
    let without = try await ProgramRun(["replay", small, "--store", store])
    #expect(without.status == 2)
    #expect(without.errorLines == 1)
    // A key that opens nothing is not made.
    #expect(!FileManager.default.fileExists(atPath: store + ".key"))
    let alone = try await ProgramRun(["replay", small, "--key", key])
    #expect(alone.status == 2)
  }

  @Test func `another log, a store in use and a file that is none give one line`() async throws {
    let first = try folder.file("first.log", Self.log(4))
    #expect(try await ProgramRun(["replay", first, "--store", store]).status == 0)
    let other = try folder.file("other.log", Self.log(4, path: "other"))
    for arguments in [["replay", other, "--store", store], ["replay", first, "--store", first]] {
      let run = try await ProgramRun(arguments)
      #expect(run.status == 2)
      #expect(run.errorLines == 1, "\(run.errors)")
      #expect(run.output.isEmpty)
    }
    let fifo = folder.path + "/fifo"
    let both = try await ProgramRun(
      shell: """
        mkfifo '\(fifo)'
        "$program" replay - --store '\(store)' < '\(fifo)' > /dev/null &
        exec 3> '\(fifo)'
        until [ "$(cat '\(store).lock' 2> /dev/null)" = $! ]; do kill -0 $! || exit 9; done
        "$program" replay '\(first)' --store '\(store)'
        status=$?
        exec 3>&-
        wait
        exit $status
        """)
    #expect(both.status == 2)
    #expect(both.errors.contains("found it in use by process "), "\(both.errors)")
  }

  @Test func `a replay whose store has lost a window is not verified, and ends with 1`()
    async throws
  {
    let log = try folder.file("first.log", Self.log(4))
    #expect(try await ProgramRun(["replay", log, "--store", store]).status == 0)
    let listed = try await ProgramRun(["inspect", store, "--json"])
    let window = try #require(
      listed.output.split(separator: "\n").first { $0.contains("windowApplication") })
    let object = try JSONSerialization.jsonObject(with: Data(window.utf8)) as? [String: Any]
    let session = try #require(object?["session"] as? String)
    let forgotten = try await ProgramRun(["forget", store, "--session", session, "--yes"])
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    let run = try await ProgramRun(["replay", log, "--store", store])
    #expect(run.isExit && run.status == 1, "\(run.output)\(run.errors)")
    #expect(run.lastLine?.hasPrefix("not verified: ") == true, "\(run.output)")
  }

  private static func log(_ lines: Int, path: String = "page") -> String {
    (1...lines).map { line in
      "10.0.0.1 - - [02/Jun/2025:10:00:0\(line) +0000] \"GET /\(path)/\(line) HTTP/1.1\" 200 5\n"
    }.joined()
  }
}
