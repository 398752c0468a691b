// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Testing

@testable import ProsceniumTestKit

/// Files that do not fit their format are refused, at the right place, before anything runs.
@Suite struct ConformanceFileTests {
  private static func error(_ text: String) -> JSONFileError? {
    #expect(throws: JSONFileError.self) {
      try ConformanceFile(Array(text.utf8), name: "suite.json")
    }
  }

  @Test(
    arguments: [
      ("[]", "$", .wrongType), ("{}", "$", .missingKey),
      ("{\"format\": 1}", "$.format", .wrongType),
      ("{\"format\": \"scene-routing/2\"}", "$.format", .unknownValue),
      ("{\"format\": \"scene-routing/1\"}", "$", .missingKey),
      ("{\"format\": \"scene-routing/1\", \"cases\": {}}", "$.cases", .wrongType),
      (
        "{\"format\": \"scene-routing/1\", \"half\": \"C\", \"cases\": []}", "$.half", .unknownValue
      ),
      (
        "{\"format\": \"scene-routing/1\", \"cases\": [], \"vectors\": []}", "$.vectors",
        .unknownKey
      ),
      ("{\"format\": \"scene-routing/1\", \"cases\": [7]}", "$.cases[0]", .wrongType),
    ] as [(String, String, JSONFileError.Code)])
  func `a file that does not fit is refused`(
    text: String, place: String, code: JSONFileError.Code
  ) {
    let error = Self.error(text)
    #expect(error?.code == code)
    #expect(error?.place == place)
  }

  @Test(
    arguments: [
      (#""kind": "both""#, ".kind", .unknownValue), (#""basis": "guess""#, ".basis", .unknownValue),
      (#""id": 7"#, ".id", .wrongType), (#""format": null"#, ".format", .wrongType),
      (#""arguments": "a""#, ".arguments", .wrongType), (#""note": []"#, ".note", .wrongType),
      (#""subject": 5"#, ".subject", .wrongType), (#""result": "true""#, ".result", .wrongType),
      (#""canonical": null"#, ".canonical", .wrongType), (#""extra": 1"#, ".extra", .unknownKey),
      (#""error": {"code": "syntax"}"#, ".subject", .unknownKey),
      (#""subject": {"concat": [], "x": 1}"#, ".subject.x", .unknownKey),
      (#""subject": {"concat": [1]}"#, ".subject.concat[0]", .wrongType),
      (#""subject": {"concat": [{"repeat": "a"}]}"#, ".subject.concat[0]", .missingKey),
      (
        #""subject": {"concat": [{"repeat": "a", "times": -1}]}"#, ".subject.concat[0].times",
        .outOfRange
      ),
      (
        #""subject": {"concat": [{"repeat": "", "times": 9223372036854775807}]}"#,
        ".subject.concat[0].times", .outOfRange
      ),
      (
        #""subject": {"concat": [{"repeat": "ab", "times": 1048576}]}"#, ".subject", .outOfRange
      ),
    ] as [(String, String, JSONFileError.Code)])
  func `a predicate case that does not fit is refused`(
    change: String, place: String, code: JSONFileError.Code
  ) {
    let error = Self.error(Suites.routing([Suites.predicate(change)]))
    #expect(error?.code == code)
    #expect(error?.place == "$.cases[0]" + place)
  }

  @Test(arguments: ["id", "kind", "basis", "format", "subject", "result"])
  func `a predicate case without a key is refused`(key: String) {
    let error = Self.error(Suites.routing([Suites.predicate(without: key)]))
    #expect(error?.code == .missingKey)
    #expect(error?.place == "$.cases[0]")
  }

  @Test(
    arguments: [
      (#""error": {"code": "wrong"}"#, ".error.code", .unknownValue),
      (#""error": {}"#, ".error", .missingKey),
      (#""error": {"code": "syntax", "position": 1.5}"#, ".error.position", .wrongType),
      (#""error": {"code": "syntax", "at": 1}"#, ".error.at", .unknownKey),
    ] as [(String, String, JSONFileError.Code)])
  func `an expected error that does not fit is refused`(
    change: String, place: String, code: JSONFileError.Code
  ) {
    let error = Self.error(Suites.routing([Suites.refusal(change)]))
    #expect(error?.code == code)
    #expect(error?.place == "$.cases[0]" + place)
  }

  @Test(
    arguments: [
      (#""supportsMultipleScenes": 1"#, ".supportsMultipleScenes", .wrongType),
      (#""sessionQuota": -1"#, ".sessionQuota", .outOfRange),
      (#""sessionQuota": null"#, ".sessionQuota", .wrongType),
      (#""sessions": [{"label": "S1"}]"#, ".sessions[0]", .missingKey),
      (#""event": {"carrier": "pigeon"}"#, ".event.carrier", .unknownValue),
      (#""event": {"carrier": "url"}"#, ".event", .missingKey),
      (#""event": {"carrier": "share", "source": "S9"}"#, ".event.source", .unknownValue),
      (#""event": {"carrier": "share", "role": "window"}"#, ".event.role", .unknownValue),
      (#""expect": {}"#, ".expect", .missingKey),
      (
        #""expect": {"identifier": "x", "rule": "best", "candidates": [], "chosen": null}"#,
        ".expect.rule", .unknownValue
      ),
      (
        #""expect": {"identifier": "x", "rule": "new", "candidates": ["S9"], "chosen": null}"#,
        ".expect.candidates[0]", .unknownValue
      ),
      (
        #""expect": {"identifier": "x", "rule": "error", "candidates": [], "chosen": null}"#,
        ".expect", .missingKey
      ),
    ] as [(String, String, JSONFileError.Code)])
  func `a routing case that does not fit is refused`(
    change: String, place: String, code: JSONFileError.Code
  ) {
    let error = Self.error(Suites.routing([Suites.route(change)]))
    #expect(error?.code == code)
    #expect(error?.place == "$.cases[0]" + place)
  }

  @Test(
    arguments: [
      (#""state": "asleep""#, ".state", .unknownValue),
      (#""lastActivated": "1""#, ".lastActivated", .wrongType),
      (#""lastActivated": -1"#, ".lastActivated", .outOfRange),
      (#""role": "window""#, ".role", .unknownValue), (#""can": true"#, ".can", .wrongType),
      (#""group": "g""#, ".group", .unknownKey), (#""label": "S1""#, ".label", .duplicate),
      (#""identifier": "id-1""#, ".identifier", .duplicate),
    ] as [(String, String, JSONFileError.Code)])
  func `a session that does not fit is refused`(
    change: String, place: String, code: JSONFileError.Code
  ) {
    let sessions = "[\(Suites.session("S1")), \(Suites.session("S2", change))]"
    let error = Self.error(Suites.routing([Suites.route("\"sessions\": \(sessions)")]))
    #expect(error?.code == code)
    #expect(error?.place == "$.cases[0].sessions[1]" + place)
  }

  @Test func `an identifier of a case that is there twice is refused`() {
    let error = Self.error(Suites.routing([Suites.predicate(), Suites.predicate()]))
    #expect(error?.code == .duplicate)
    #expect(error?.place == "$.cases[1].id")
  }
}
