// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The program as its users meet it: flags, exit codes and the last line.
@Suite(.timeLimit(.minutes(20))) struct ProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  // MARK: - Flags

  @Test func `the version is a semantic one`() async throws {
    let run = try await ProgramRun(["--version"])
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }

  @Test(
    arguments: [
      ["--help"], ["replay", "--help"], ["generate-log", "--help"], ["load", "--help"],
    ])
  func `the help has examples`(arguments: [String]) async throws {
    let run = try await ProgramRun(arguments)
    #expect(run.status == 0)
    #expect(run.output.contains("EXAMPLES"))
    #expect(run.errors.isEmpty)
  }

  @Test(
    arguments: [
      ["replay"], ["bogus"], ["replay", "LOG", "--bogus"], ["replay", "LOG", "--connected", "0"],
      ["replay", "LOG", "--connected", "-3"], ["replay", "LOG", "--connected", "many"],
      ["replay", "LOG", "--windows", "0"], ["replay", "LOG", "--tabs", "15"],
      ["replay", "LOG", "--shards", "0"], ["replay", "LOG", "--shards", "257"],
      ["replay", "LOG", "--concurrency", "0"], ["replay", "LOG", "--speed", "0"],
      ["replay", "LOG", "--speed", "nan"], ["replay", "LOG", "--idle", "-1"],
      ["replay", "LOG", "--idle", "9223372036854775807h"],
      ["replay", "LOG", "--csv", "/no/such/folder/a.csv"], ["replay", "LOG", "--csv", "/"],
      ["generate-log", "--lines", "0"], ["generate-log", "--malformed", "-1"],
      ["generate-log", "--output", "/no/such/folder/log"],
    ])
  func `flags that cannot be used are refused in one line`(arguments: [String]) async throws {
    let log = try await generate(lines: 3)
    let run = try await ProgramRun(arguments.map { $0 == "LOG" ? log : $0 })
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
    #expect(run.errors.hasPrefix("proscenium: "))
    #expect(run.output.isEmpty)
  }

  // MARK: - Input

  @Test(
    arguments: [
      ("empty", Data()), ("binary", Data((0...255).map { UInt8($0) })),
      ("no request", Data("one\ntwo\n".utf8)),
      ("a line of 1 MB", Data(repeating: UInt8(ascii: "x"), count: 1_000_000)),
    ])
  func `input that is no log is refused`(name: String, data: Data) async throws {
    let run = try await ProgramRun(["replay", folder.file("input", data)])
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `what cannot be read is refused`() async throws {
    for path in [folder.path, folder.path + "/nothing"] {
      let run = try await ProgramRun(["replay", path])
      #expect(run.isExit)
      #expect(run.status == 2)
      #expect(run.errorLines == 1, "\(run.errors)")
    }
  }

  @Test(arguments: [200, 20_000])
  func `gzip that breaks off is refused`(length: Int) async throws {
    let log = try await generate(lines: 3_000)
    let run = try await ProgramRun(
      shell: "gzip -c '\(log)' | head -c \(length) | \"$program\" replay -")
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.errorLines == 1, "\(run.errors)")
    #expect(run.errors.contains("truncated"))
  }

  @Test func `a line of 1 MB among others is one malformed line`() async throws {
    let log = try await generate(lines: 5)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    let long = String(repeating: "x", count: 1_000_000)
    let run = try await ProgramRun(["replay", folder.file("long", long + "\n" + text)])
    #expect(run.status == 0)
    #expect(run.lastLine == "verified")
    #expect(run.output.contains("line 1: "))
  }

  // MARK: - Support

  private func generate(lines: Int) async throws -> String {
    let path = folder.path + "/access.log"
    let run = try await ProgramRun(["generate-log", "--lines", "\(lines)", "--output", path])
    try #require(run.status == 0, "\(run.errors)")
    return path
  }
}
