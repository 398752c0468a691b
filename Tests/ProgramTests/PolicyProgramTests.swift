// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium policy`, as its users meet it.
@Suite(.timeLimit(.minutes(20))) struct PolicyProgramTests {
  private let folder: TemporaryFolder
  private let log: String

  init() async throws {
    folder = try TemporaryFolder()
    log = folder.path + "/access.log"
    let run = try await ProgramRun([
      "generate-log", "--lines", "2000", "--users", "200", "--malformed", "3", "--output", log,
    ])
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test func `a log is compared, and the last line says which policy won`() async throws {
    let run = try await ProgramRun(["policy", log])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    #expect(run.output.hasPrefix("1,997 events of "))
    #expect(run.output.contains("3 malformed lines"))
    for name in ["LRU", "S3-FIFO", "optimum"] {
      let row = run.output.split(separator: "\n").first { $0.hasPrefix(name + " ") }
      #expect(row?.matches(of: /\d+\.\d\d/).count == 5, "\(name)")
    }
    #expect(run.output.contains("*"))
    #expect(run.output.contains("\nrecommended: "))
    #expect(
      run.lastLine?.wholeMatch(of: /best: .+, \d+\.\d\d points below the optimum on average/) != nil
    )
  }

  @Test func `a pipe gives what the file gives`() async throws {
    let file = try await ProgramRun(["policy", log, "--sizes", "100,10"])
    let pipe = try await ProgramRun(
      shell: "gzip -c '\(log)' | \"$program\" policy - --sizes 10,100")
    #expect(file.status == 0 && pipe.status == 0, "\(pipe.errors)")
    #expect(file.output == pipe.output)
  }

  @Test func `a recorded trace is compared`() async throws {
    let names = (0..<600).map { "s\($0 % 7 * $0 % 13)" }
    let plain = try await ProgramRun([
      "policy", folder.file("plain", names.joined(separator: "\n")),
    ])
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(plain.output.hasPrefix("600 events of "))
    let timed = names.enumerated().map { "\($0.offset * 30) \($0.element)\n" }.joined()
    let run = try await ProgramRun(["policy", folder.file("timed", timed), "--sizes", "5"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("600 events of "))
  }

  @Test(
    arguments: [
      [], ["LOG", "--zipf", "1"], ["--zipf", "5"], ["--zipf", "nan"], ["--zipf", "-1"],
      ["--zipf", "1", "--scan", "100"], ["LOG", "--scan", "3"], ["LOG", "--sizes", ""],
      ["LOG", "--sizes", "0"], ["LOG", "--sizes", "3,3"], ["LOG", "--sizes", "5,"],
      ["LOG", "--sizes", "-2"], ["LOG", "--sizes", "10000001"], ["LOG", "--sizes", "many"],
      ["LOG", "--csv", "/no/such/folder/a.csv"], ["LOG", "more"],
      ["/no/such/file"], ["/"],
    ])
  func `what cannot be used is refused in one line`(arguments: [String]) async throws {
    let run = try await ProgramRun(["policy"] + arguments.map { $0 == "LOG" ? log : $0 })
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
    #expect(run.errors.hasPrefix("proscenium: "))
    #expect(run.output.isEmpty)
  }

  @Test(
    arguments: [
      ("empty", Data(), "expected an access log or one session's name a line"),
      ("binary", Data((0...255).map { UInt8($0) }), "binary"),
      ("noise", Data("a b c\nd e f\n".utf8), "found 2 malformed lines"),
      ("names", Data("a\nb\nc d\n".utf8), ":3: expected one name"),
      ("times", Data("1 a\n2 b\nc\n".utf8), ":3: expected seconds and the name"),
    ])
  func `input that is no trace is refused`(name: String, data: Data, text: String) async throws {
    let run = try await ProgramRun(["policy", folder.file(name, data)])
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
    #expect(run.errors.contains("/\(name)") && run.errors.contains(text), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `the CSV has a row for each policy, size and metric`() async throws {
    let csv = folder.path + "/policy.csv"
    let run = try await ProgramRun(["policy", log, "--sizes", "10,50", "--csv", csv])
    #expect(run.status == 0, "\(run.errors)")
    let table = try CSVTable(folder.text("policy.csv"))
    #expect(table.value(of: "events") == "1997")
    #expect(table.value(of: "malformed_lines") == "3")
    for policy in ["LRU", "S3-FIFO", "optimum"] {
      for scenes in [10, 50] {
        let rows = table.rows.filter { $0["labels"] == "policy=\(policy);scenes=\(scenes)" }
        #expect(rows.map { $0["metric"] } == ["hits", "misses", "hit_rate"], "\(policy)")
        let counts = rows.prefix(2).compactMap { $0["value"].flatMap { Int($0) } }
        #expect(counts.reduce(0, +) == 1_997)
      }
    }
    #expect(table.rows.contains { $0["suite"] == "meta" && $0["metric"] == "machine" })
  }

  @Test func `the help has examples`() async throws {
    let run = try await ProgramRun(["policy", "--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("EXAMPLES"))
  }
}
