// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `proscenium conform` with test vectors of the life cycle, as its users meet it.
@Suite(.timeLimit(.minutes(20))) struct ConformanceProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func file(_ path: String) -> URL {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(path)
  }

  /// The blocks of the page in a language, without their fences.
  private static func blocks(_ language: String) throws -> [String] {
    let page = try String(contentsOf: file("Docs/CONFORMANCE.md"), encoding: .utf8)
    return page.split(separator: "```", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix(language + "\n") }
      .map { String($0.element.dropFirst(language.count + 1)) }
  }

  private func conform(_ suite: String, _ options: String...) async throws -> ProgramRun {
    try await ProgramRun(["conform"] + options + [try folder.file("suite.json", suite)])
  }

  @Test func `the example of the page passes`() async throws {
    let example = try #require(Self.blocks("json").first)
    let run = try await conform(example)
    #expect(run.status == 0)
    #expect(run.output == "1 passed, 0 failed\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `with two lines exchanged it fails as the page shows`() async throws {
    let example = try #require(Self.blocks("json").first)
    let capture = #""S1#1.stateRestorationActivity -> nil""#
    let snapshot = #""S1#1.snapshot""#
    let changed = example.replacing("\(capture), \(snapshot)", with: "\(snapshot), \(capture)")
    #expect(changed != example)
    let run = try await conform(changed)
    #expect(run.status == 1)
    let shown = try #require(Self.blocks("").first)
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first?.hasSuffix("/" + (shown.split(separator: "\n").first ?? "?")) == true)
    #expect(run.lastLine.map(String.init) == "0 passed, 1 failed")
  }

  @Test(arguments: [[], ["--shards", "1"], ["--dont-keep-scenes"]])
  func `the package's own vectors pass`(options: [String]) async throws {
    let suite = Self.file("Tests/Suites/life-cycle.json").path
    let run = try await ProgramRun(["conform"] + options + [suite])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.hasSuffix(" passed, 0 failed\n"))
    #expect(run.errors.isEmpty)
  }

  @Test func `with --verbose every case has a line`() async throws {
    let run = try await conform(try #require(Self.blocks("json").first), "--verbose")
    #expect(run.status == 0)
    #expect(
      run.output.contains(
        "suite.json: close-one-of-two (Of two windows one is closed): passed\n"))
    #expect(run.lastLine.map(String.init) == "1 passed, 0 failed")
  }

  @Test(arguments: ["0", "257", "two"])
  func `a number of shards that cannot be is refused`(shards: String) async throws {
    let run = try await conform(try #require(Self.blocks("json").first), "--shards", shards)
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("--shards"))
  }

  @Test func `a vector that does not fit is refused with its place`() async throws {
    let example = try #require(Self.blocks("json").first)
    let run = try await conform(example.replacing("user.close", with: "user.shut"))
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("$.vectors[0].steps[1].cmd: expected one of activity.mutate, "))
  }
}
