// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumTestKit

/// What the runner says about cases that fit this build and about cases that cannot.
@Suite struct RoutingSuiteTests {
  private static func difference(_ test: String) async throws -> String? {
    let text = Suites.routing([test])
    let file = try ConformanceFile(Array(text.utf8), name: "suite.json")
    let results = await file.suite.run()
    try #require(results.count == 1)
    return results[0].difference
  }

  // MARK: - Predicates

  @Test(
    arguments: [
      Suites.predicate(), Suites.predicate(#""canonical": "SELF == \"a\"""#),
      Suites.predicate(#""subject": "b""#, #""result": false"#),
      Suites.predicate(#""format": "SELF == %@""#, #""arguments": ["a", 7]"#),
      Suites.predicate(
        #""format": {"concat": ["SELF == '", {"repeat": "ab", "times": 3}, "'"]}"#,
        #""subject": {"concat": [{"repeat": "ab", "times": 3}]}"#,
        #""canonical": {"concat": ["SELF == \"", {"repeat": "ab", "times": 3}, "\""]}"#),
      Suites.refusal(), Suites.refusal(#""error": {"code": "syntax"}"#),
      Suites.refusal(#""format": "SELF == %@""#, #""error": {"code": "argument", "position": 8}"#),
      Suites.refusal(
        #""format": {"concat": ["SELF == '", {"repeat": "a", "times": 5000}, "'"]}"#,
        #""error": {"code": "limitExceeded"}"#),
    ])
  func `a predicate case that holds passes`(test: String) async throws {
    #expect(try await Self.difference(test) == nil)
  }

  @Test(arguments: ["7", "1.5", "true", "null", "[\"a\", 7]", "[[]]", "{\"a\": \"b\"}"])
  func `an argument that is neither text nor list of texts reaches the parser`(
    argument: String
  ) async throws {
    let test = Suites.refusal(
      #""format": "SELF == %@""#, "\"arguments\": [\(argument)]",
      #""error": {"code": "argument", "position": 8}"#)
    #expect(try await Self.difference(test) == nil)
  }

  @Test(
    arguments: [
      (
        Suites.predicate(#""result": false"#),
        #"expected false for "a", got true from "SELF == \"a\""; "#
          + #"expected false for "a", got true from the canonical string parsed again"#
      ),
      (
        Suites.predicate(#""canonical": "SELF == 'a'""#),
        #"expected the canonical string "SELF == 'a'", got "SELF == \"a\"""#
      ),
      (
        Suites.refusal(#""format": "SELF == 'a'""#),
        #"expected syntax at byte 4, got the predicate "SELF == \"a\"""#
      ),
    ])
  func `a predicate case that fails says what differs`(
    test: String, difference: String
  ) async throws {
    #expect(try await Self.difference(test) == difference)
  }

  @Test(
    arguments: [
      (Suites.predicate(#""format": "SELF""#), "expected a predicate, got syntax at byte 4: "),
      (
        Suites.refusal(#""error": {"code": "argument"}"#),
        "expected argument, got syntax at byte 4: "
      ),
      (
        Suites.refusal(#""error": {"code": "syntax", "position": 3}"#),
        "expected syntax at byte 3, got syntax at byte 4: "
      ),
    ])
  func `a refusal that is not the expected one is shown`(
    test: String, beginning: String
  ) async throws {
    let difference = try await Self.difference(test)
    #expect(difference?.hasPrefix(beginning) == true, "\(difference ?? "no difference")")
  }

  // MARK: - Routes

  private static func expect(
    _ identifier: String?, _ rule: String, _ candidates: [String], _ chosen: String?,
    error: String? = nil
  ) -> String {
    let labels = candidates.map { "\"\($0)\"" }.joined(separator: ", ")
    func text(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
    return "\"expect\": {\"identifier\": \(text(identifier)), \"rule\": \"\(rule)\", "
      + "\"candidates\": [\(labels)], \"chosen\": \(text(chosen))"
      + (error.map { ", \"error\": \"\($0)\"" } ?? "") + "}"
  }

  private static let event = #""event": {"carrier": "#

  @Test(
    arguments: [
      Suites.route(),
      Suites.route(#""supportsMultipleScenes": false"#, expect("x", "single", ["S1", "S2"], "S2")),
      Suites.route(event + #""share"}"#, expect(nil, "recent", ["S1", "S2"], "S2")),
      Suites.route(
        event + #""activity", "targetContentIdentifier": "x", "webpageURL": "w"}"#,
        expect("x", "can", ["S1", "S2"], "S2")),
      Suites.route(
        event + #""handoff", "targetContentIdentifier": null, "webpageURL": "w"}"#,
        expect("w", "can", ["S1", "S2"], "S2")),
      Suites.route(
        event + #""notification", "webpageURL": "w"}"#, expect(nil, "recent", ["S1", "S2"], "S2")),
      Suites.route(
        event + #""shortcut", "targetContentIdentifier": ""}"#,
        expect("", "can", ["S1", "S2"], "S2")),
      Suites.route(
        event + #""url", "url": "x", "source": "S1"}"#, expect("x", "can", ["S1", "S2"], "S1")),
      Suites.route(
        "\"sessions\": [\(Suites.session("S1", #""prefers": "SELF == 'x'""#)), "
          + "\(Suites.session("S2", #""role": "windowExternalDisplay""#))]",
        expect("x", "prefers", ["S1"], "S1")),
      Suites.route(
        "\"sessions\": [\(Suites.session("S1", #""can": "FALSEPREDICATE""#))]",
        expect("x", "new", [], nil)),
      Suites.route(
        "\"sessions\": [\(Suites.session("S1", #""can": "FALSEPREDICATE""#))]",
        #""sessionQuota": 1"#, expect("x", "forced", ["S1"], "S1")),
      Suites.route(
        event + #""activationRequest", "targetContentIdentifier": "x"}"#, #""sessionQuota": 2"#,
        expect("x", "error", [], nil, error: "requestDenied")),
      Suites.route(
        event + #""activationRequest"}"#, #""supportsMultipleScenes": false"#,
        expect(nil, "error", [], nil, error: "multipleScenesNotSupported")),
      Suites.route(
        "\"sessions\": [\(Suites.session("S1", #""identifier": "é""#, #""lastActivated": 1"#)), "
          + "\(Suites.session("S2", #""identifier": "z""#, #""lastActivated": 1"#))]",
        expect("x", "can", ["S1", "S2"], "S2")),
    ])
  func `a routing case that holds passes`(test: String) async throws {
    #expect(try await Self.difference(test) == nil)
  }

  @Test(
    arguments: [
      (
        Suites.route(expect("y", "can", ["S1", "S2"], "S2")),
        #"expected identifier "y", got "x""#
      ),
      (
        Suites.route(expect("x", "prefers", ["S1"], "S1")),
        "expected rule prefers, got can; expected session S1, got S2; "
          + "expected candidates {S1}, got {S1, S2}"
      ),
      (
        Suites.route(expect("x", "error", [], nil, error: "requestDenied")),
        "expected rule error, got can; expected error requestDenied, got none; "
          + "expected session none, got S2; expected candidates {}, got {S1, S2}"
      ),
    ])
  func `a routing case that fails says what differs`(
    test: String, difference: String
  ) async throws {
    #expect(try await Self.difference(test) == difference)
  }

  @Test func `a session whose predicate is refused fails its case alone`() async throws {
    let sessions = "\"sessions\": [\(Suites.session("S1", #""can": "SELF""#))]"
    let difference = try await Self.difference(
      Suites.route(sessions, Self.expect("x", "new", [], nil)))
    #expect(difference?.hasPrefix("expected conditions, got syntax at byte 4: ") == true)
  }
}
