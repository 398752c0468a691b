// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The commands about predicates and routing, as their users meet them.
@Suite(.timeLimit(.minutes(20))) struct RoutingProgramTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static func refuse(_ run: ProgramRun, lines: Int = 1) {
    #expect(run.isExit)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("proscenium: "))
    #expect(run.errorLines == lines, "\(run.errors)")
  }

  // MARK: - route

  private static let sessions = """
    [{"id": "inbox"},
     {"id": "tab 1", "prefers": "SELF == 'news/1' OR SELF == 'news/2'", "state": "background"},
     {"id": "tab 2", "prefers": "SELF BEGINSWITH 'news/'", "lastActivated": 7},
     {"id": "notes", "can": "SELF BEGINSWITH 'notes/'", "state": "inactive"},
     {"id": "screen", "role": "windowExternalDisplay", "state": "active"}]
    """

  private func route(_ arguments: String..., sessions: String = sessions) async throws -> ProgramRun
  {
    let file = try folder.file("sessions.json", sessions)
    return try await ProgramRun(["route", "--conditions", file] + arguments)
  }

  @Test func `each identifier gives an aligned line`() async throws {
    let run = try await route(
      "--identifier", "news/1", "news/30", "--identifier", "notes/4", "", "a\nb")
    #expect(run.status == 0)
    #expect(
      run.output == """
        news/1   prefers  tab 1
        news/30  prefers  tab 2
        notes/4  can      notes
        ""       can      tab 1
        "a\\nb"   can      tab 1

        """)
    #expect(run.errors.isEmpty)
  }

  @Test func `a new session is a dash, and null in JSON`() async throws {
    let sessions = #"[{"id": "a", "can": "FALSEPREDICATE"}]"#
    #expect(try await route("--identifier", "x", sessions: sessions).output == "x  new  -\n")
    let run = try await route("--identifier=-x", "--json", sessions: sessions)
    #expect(run.output == "{\"identifier\": \"-x\", \"rule\": \"new\", \"session\": null}\n")
    #expect(try await route("--identifier", "x", sessions: "[]").output == "x  new  -\n")
  }

  @Test func `an explanation has the candidates, the part that matched and the tie-break`()
    async throws
  {
    let run = try await route("--identifier", "news/2", "--explain")
    #expect(run.status == 0)
    #expect(
      run.output == """
        "news/2": prefers, session "tab 1". 2 sessions prefer it. Its state decided: background \
        before archived.
          1. "tab 1" (background, last activated 0) prefers SELF == "news/1" OR SELF == "news/2"
             matched SELF == "news/2"
          2. "tab 2" (archived, last activated 7) prefers SELF BEGINSWITH "news/"

        """)
  }

  @Test func `an explanation in JSON is an object a line`() async throws {
    struct Line: Decodable {
      struct Candidate: Decodable {
        let session: String
        let state: String
        let matched: String
      }
      let session: String
      let candidateCount: Int
      let decidedBy: String
      let candidates: [Candidate]
    }
    let run = try await route("--identifier", "news/2", "x", "--explain", "--json")
    let lines = try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    try #require(lines.count == 2)
    #expect(lines[0].session == "tab 1")
    #expect(lines[0].candidateCount == 2)
    #expect(lines[0].decidedBy == "state")
    #expect(
      lines[0].candidates.map(\.matched) == [#"SELF == "news/2""#, #"SELF BEGINSWITH "news/""#])
    #expect(lines[1].candidates.map(\.session) == ["tab 1", "tab 2", "inbox"])
  }

  @Test func `ten candidates are shown and the rest is counted`() async throws {
    let sessions = (0..<25).map { "{\"id\": \"s\($0)\"}" }.joined(separator: ",")
    let run = try await route("--identifier", "x", "--explain", sessions: "[\(sessions)]")
    #expect(run.output.split(separator: "\n").count == 12)
    #expect(run.lastLine == "  … and 15 more")
  }

  @Test func `conditions are read from standard input`() async throws {
    let file = try folder.file("sessions.json", Self.sessions)
    let run = try await ProgramRun(
      shell: "\"$program\" route --conditions - --identifier notes/1 < '\(file)'")
    #expect(run.output == "notes/1  can  notes\n")
  }

  @Test(
    arguments: [
      ("{}", "$: "), ("[1]", "$[0]: "), (#"[{"id": "a"}, {}]"#, "$[1]: "),
      (#"[{"id": 1}]"#, "$[0].id: "), (#"[{"id": "a"}, {"id": "a"}]"#, "$[1].id: "),
      (#"[{"id": "a", "prefer": "x"}]"#, "$[0].prefer: "),
      (#"[{"id": "a", "state": "asleep"}]"#, "$[0].state: "),
      (#"[{"id": "a", "role": null}]"#, "$[0].role: "),
      (#"[{"id": "a", "can": true}]"#, "$[0].can: "),
      (#"[{"id": "a", "lastActivated": 4503599627370497}]"#, "$[0].lastActivated: "),
      (#"[{"id": "a", "lastActivated": 1.5}]"#, "$[0].lastActivated: "),
      ("[{\"id\": \"a\"},\n]", "line 2, column 1: "), ("", "line 1, column 1: "),
    ])
  func `conditions that do not fit are refused with their place`(
    sessions: String, place: String
  ) async throws {
    let run = try await route("--identifier", "x", sessions: sessions)
    Self.refuse(run)
    #expect(run.errors.contains("/sessions.json: \(place)"), "\(run.errors)")
  }

  @Test func `a predicate that is refused is shown with a caret`() async throws {
    let run = try await route(
      "--identifier", "x", sessions: #"[{"id": "a", "can": "SELF BEGINWITH 'x'"}]"#)
    Self.refuse(run, lines: 3)
    #expect(run.errors.contains("/sessions.json: $[0].can: syntax at byte 5: "))
    #expect(run.errors.hasSuffix("\n  SELF BEGINWITH 'x'\n       ^\n"))
  }

  // MARK: - predicate

  @Test func `a predicate is shown in its canonical form`() async throws {
    let run = try await ProgramRun(["predicate", "SELF == %@ OR SELF BEGINSWITH 'b'", "[a"])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("canonical  SELF == \"[a\" OR SELF BEGINSWITH \"b\"\nindex      "))
  }

  @Test(arguments: [(["a", "bc"], 0), (["a", "-c"], 1), (["x", "a"], 1)] as [([String], Int32)])
  func `each match is said, and one that fails gives 1`(texts: [String], status: Int32) async throws
  {
    let run = try await ProgramRun(
      ["predicate", "SELF == 'a' OR SELF BEGINSWITH 'b'"] + texts.flatMap { ["--match", $0] })
    #expect(run.status == status)
    let lines = run.output.split(separator: "\n").suffix(texts.count)
    for (text, line) in zip(texts, lines) {
      switch text {
      case "a": #expect(line.hasPrefix("match ") && line.hasSuffix("  SELF == \"a\""))
      case "bc": #expect(line.hasPrefix("match ") && line.hasSuffix("  SELF BEGINSWITH \"b\""))
      default: #expect(line == "no match  \(text)")
      }
    }
  }

  @Test func `a format that is refused is shown with a caret`() async throws {
    let run = try await ProgramRun(["predicate", "SELF == 'a' OR\n\tSELF BEGINWITH 'b'"])
    Self.refuse(run, lines: 3)
    let run2 = try await ProgramRun(["predicate", "SELF == %@", "[\"a\", 1]"])
    Self.refuse(run2, lines: 3)
    #expect(run2.errors.contains("argument at byte 8: "))
    #expect(run2.errors.hasSuffix("\n  SELF == %@\n          ^\n"))
  }

  @Test func `a format cannot drive the terminal`() async throws {
    let run = try await ProgramRun(["predicate", "SELF \u{1B}[31m\u{9B}1m == 'a'"])
    Self.refuse(run, lines: 3)
    #expect(!run.errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" })
  }

  // MARK: - conform

  private static func suite(_ cases: String...) -> String {
    "{\"format\": \"scene-routing/1\", \"cases\": [\(cases.joined(separator: ","))]}"
  }

  private static let good = """
    {"id": "G1", "kind": "predicate", "basis": "spec", "format": "SELF == 'a'", "subject": "a",
     "result": true}
    """
  private static let bad = """
    {"id": "B1", "kind": "route", "basis": "choice", "note": "no session is there", "sessions": [],
     "event": {"carrier": "url", "url": "x"},
     "expect": {"identifier": "x", "rule": "can", "candidates": [], "chosen": null}}
    """

  @Test func `cases that hold are counted`() async throws {
    let one = try folder.file("one.json", Self.suite(Self.good))
    let run = try await ProgramRun(["conform", one, one])
    #expect(run.status == 0)
    #expect(run.output == "2 passed, 0 failed\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `a case that fails gives a line and 1`() async throws {
    let one = try folder.file("one.json", Self.suite(Self.good))
    let two = try folder.file("two.json", Self.suite(Self.bad, Self.good))
    let run = try await ProgramRun(["conform", one, two])
    #expect(run.status == 1)
    #expect(
      run.output == """
        \(two): B1 (no session is there): expected rule can, got new
        2 passed, 1 failed

        """)
  }

  @Test func `a case gives one line, whatever its texts are`() async throws {
    let two = try folder.file(
      "two.json", Self.suite(Self.bad.replacing("no session is there", with: #"a\nb\u001b[31m"#)))
    let run = try await ProgramRun(["conform", two])
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(!run.output.unicodeScalars.contains("\u{1B}"))
  }

  @Test(
    arguments: [
      ("nonsense", "line 1, column 1: "), ("{\"format\": \"x/1\"}", "$.format: "),
      (suite("{}"), "$.cases[0]: "), (suite(good, good), "$.cases[1].id: "),
      (suite(bad.replacing("\"can\"", with: "\"best\"")), "$.cases[0].expect.rule: "),
    ])
  func `a file that does not fit is refused and nothing runs`(text: String, place: String)
    async throws
  {
    let fine = try folder.file("fine.json", Self.suite(Self.bad))
    let broken = try folder.file("broken.json", text)
    let run = try await ProgramRun(["conform", fine, broken])
    Self.refuse(run)
    #expect(run.errors.hasPrefix("proscenium: \(broken): \(place)"), "\(run.errors)")
  }

  // MARK: - Flags

  @Test(
    arguments: [
      ["route"], ["route", "--conditions", "/no/such/file", "--identifier", "x"],
      ["route", "--conditions", "/", "--identifier", "x"], ["route", "--identifier", "x"],
      ["predicate"], ["predicate", "TRUEPREDICATE", "--match"], ["conform"],
      ["conform", "/no/such/file"], ["conform", "/"],
    ])
  func `what cannot be used is refused in one line`(arguments: [String]) async throws {
    Self.refuse(try await ProgramRun(arguments))
  }

  @Test(arguments: ["route", "predicate", "conform"])
  func `the help has examples`(command: String) async throws {
    let run = try await ProgramRun([command, "--help"])
    #expect(run.status == 0)
    #expect(run.output.contains("EXAMPLES"))
    #expect(run.errors.isEmpty)
  }
}
