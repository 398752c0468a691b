// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium replay`, from the log to the verdict.
@Suite(.timeLimit(.minutes(20))) struct ReplayProgramTests {
  private let folder: TemporaryFolder
  private let log: String

  init() async throws {
    folder = try TemporaryFolder()
    log = folder.path + "/access.log"
    let run = try await ProgramRun([
      "generate-log", "--lines", "1000", "--users", "100", "--malformed", "3", "--output", log,
    ])
    try #require(run.status == 0, "\(run.errors)")
  }

  @Test(
    arguments: [
      [], ["--connected", "20"], ["--connected", "1"], ["--shards", "1"],
      ["--shards", "2", "--connected", "10"], ["--shards", "64"], ["--windows", "1"],
      ["--idle", "0"], ["--tabs", "14", "--concurrency", "1"],
    ])
  func `a generated log is verified`(flags: [String]) async throws {
    let run = try await ProgramRun(["replay", log] + flags)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lastLine == "verified")
    #expect(run.output.contains("malformed lines:\n  line "))
  }

  @Test func `a log through a gzip pipe is verified`() async throws {
    let run = try await ProgramRun(shell: "gzip -c '\(log)' | \"$program\" replay - --connected 20")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lastLine == "verified")
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: ReplayProgramTests.sample),
      "the sample log is next to the checkout only where it was fetched"))
  func `a real log is verified`() async throws {
    let csv = folder.path + "/replay.csv"
    let run = try await ProgramRun(["replay", Self.sample, "--connected", "200", "--csv", csv])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lastLine == "verified")
    #expect(run.output.contains("  line 8899: "))
    let table = try CSVTable(folder.text("replay.csv"))
    for (metric, value) in [
      ("requests", 9_999), ("malformed_lines", 1), ("users", 1_861), ("lost", 0),
      ("duplicated", 0), ("reordered", 0),
    ] {
      #expect(table.value(of: metric) == "\(value)", "\(metric)")
    }
    #expect(table.value(of: "system_disconnects").flatMap { Int($0) } ?? 0 >= 1_000)
    #expect(table.value(of: "restorations").flatMap { Int($0) } ?? 0 >= 250)
  }

  private static let sample =
    URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .path + "/../shared/data/semicomplete-access.log"

  @Test func `an interrupt ends the run, and what ran is verified`() async throws {
    let pipe = Pipe()
    // At this speed the first lines alone take hours.
    let run = try await ProgramRun(
      ["replay", "-", "--speed", "1"], input: pipe.fileHandleForReading
    ) {
      process in
      // More than a pipe holds: when it is written, the program is reading.
      let text = try Data(contentsOf: URL(fileURLWithPath: log)).prefix(65_537)
      try #require(text.count == 65_537)
      try pipe.fileHandleForWriting.write(contentsOf: text)
      process.interrupt()
    }
    #expect(run.isExit)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("stopped early"))
    #expect(run.lastLine == "verified, stopped early")
  }

  @Test func `a closed pipe ends the program quietly`() async throws {
    let run = try await ProgramRun(
      shell: "trap '' PIPE; \"$program\" generate-log --lines 100000 | head -n 1")
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.errors.isEmpty)
  }

  // MARK: - CSV

  @Test func `the CSV has every metric once a run, with plain numbers`() async throws {
    let csv = folder.path + "/replay.csv"
    for _ in 1...2 {
      let run = try await ProgramRun(
        ["replay", log, "--connected", "20", "--csv", csv],
        environment: ["PROSCENIUM_COMMIT": "abc,\"1\""])
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.split(separator: "\n").suffix(2) == ["CSV: \(csv)", "verified"])
    }
    let rows = try CSVTable(folder.text("replay.csv"))
    #expect(rows.header.first == "schema_version")
    #expect(rows.rows.allSatisfy { $0.count == rows.header.count })
    for metric in [
      "requests", "malformed_lines", "users", "sessions", "system_disconnects", "restorations",
      "lost", "duplicated", "reordered",
    ] {
      let found = rows.rows.filter { $0["metric"] == metric && $0["suite"] == "replay" }
      #expect(found.count == 2, "\(metric)")
      for row in found {
        #expect(row["t_s"] == "" && row["percentile"] == "" && row["labels"] == "")
        #expect(row["value"].flatMap { Int($0) } != nil)
      }
    }
    #expect(rows.value(of: "requests") == "997")
    #expect(rows.value(of: "malformed_lines") == "3")
    #expect(rows.value(of: "lost") == "0")
    #expect(rows.value(of: "restorations").flatMap { Int($0) } ?? 0 > 0)
    let commit = rows.rows.first { $0["metric"] == "commit" && $0["suite"] == "meta" }
    #expect(commit?["labels"] == "commit=abc,\"1\"")
  }
}
