// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Testing

@testable import ProsceniumTestKit

@Suite struct JSONNodeTests {
  private enum Color: String, CaseIterable {
    case red, green
  }

  private static func node(_ text: String) throws -> JSONNode {
    try JSONParser.parse(Array(text.utf8), file: "a.json")
  }

  @Test func `a place is named by its path`() throws {
    let node = try Self.node("{\"cases\": [1, {\"a b\": 2, \"\": 3, \"x_1\": 4}]}")
    let object = try node.member("cases").elements()[1]
    #expect(try object.member("a b").path.description == "$.cases[1][\"a b\"]")
    #expect(try object.member("").path.description == "$.cases[1][\"\"]")
    #expect(try object.member("x_1").path.description == "$.cases[1].x_1")
  }

  @Test func `what fits is given`() throws {
    let node = try Self.node("{\"t\": \"green\", \"n\": 7, \"b\": true, \"l\": [], \"z\": null}")
    #expect(try node.member("t").text() == "green")
    #expect(try node.member("t").word(Color.self) == .green)
    #expect(try node.member("n").integer(in: 7...7) == 7)
    #expect(try node.member("b").bool())
    #expect(try node.member("l").elements().isEmpty)
    #expect(try node.member("z").unlessNull == nil)
    #expect(try node.optional("missing") == nil)
    try node.checkKeys("t", "n", "b", "l", "z", "more")
  }

  private static let misreadings: [(JSONFileError.Code, @Sendable (JSONNode) throws -> Void)] = [
    (.wrongType, { _ = try $0.member("n").text() }),
    (.wrongType, { _ = try $0.member("n").bool() }),
    (.wrongType, { _ = try $0.member("n").elements() }),
    (.wrongType, { _ = try $0.member("n").member("x") }),
    (.wrongType, { try $0.member("n").checkKeys("x") }),
    (.wrongType, { _ = try $0.member("t").integer(in: 0...1) }),
    (.outOfRange, { _ = try $0.member("n").integer(in: 0...6) }),
    (.unknownValue, { _ = try $0.member("t").word(Color.self) }),
    (.missingKey, { _ = try $0.member("x") }),
    (.unknownKey, { try $0.checkKeys("t") }),
  ]

  @Test(arguments: misreadings) func `what does not fit is refused`(
    code: JSONFileError.Code, read: @Sendable (JSONNode) throws -> Void
  ) throws {
    let node = try Self.node("{\"t\": \"blue\", \"n\": 7}")
    let error = #expect(throws: JSONFileError.self) { try read(node) }
    #expect(error?.code == code)
    #expect(error?.file == "a.json")
  }

  @Test func `a message names file, place, what was expected and what was found`() throws {
    let node = try Self.node("{\"t\": \"blue\"}").member("t")
    let error = #expect(throws: JSONFileError.self) { try node.word(Color.self) }
    #expect(error?.description == "a.json: $.t: expected one of red, green, found \"blue\".")
  }

  @Test func `a long text is shortened in a message`() throws {
    let text = String(repeating: "é", count: 100)
    let node = try Self.node("\"\(text)\"")
    #expect(node.value.summary == "\"" + text.prefix(60) + "\"… (200 bytes)")
  }

  @Test func `texts that merely look the same look different in a message`() throws {
    #expect(try Self.node("\"é\"").value.summary == "\"é\"")
    #expect(try Self.node("\"e\u{301}\"").value.summary == #""e\u0301""#)
  }

  @Test func `names that differ in bytes differ`() throws {
    let node = try Self.node("0")
    var names = UniqueNames()
    try names.insert("é", node)
    try names.insert("e\u{301}", node)
    let error = #expect(throws: JSONFileError.self) { try names.insert("é", node) }
    #expect(error?.code == .duplicate)
  }
}
