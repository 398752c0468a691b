// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Testing

@testable import ProsceniumTestKit

@Suite struct JSONParserTests {
  private static func parse(_ text: String) throws(JSONFileError) -> JSONValue {
    try JSONParser.parse(Array(text.utf8), file: "a.json").value
  }

  @Test(
    arguments: [
      ("null", .null), (" true\n", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
      ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)), ("1.5", .real(1.5)),
      ("9223372036854775808", .real(9_223_372_036_854_775_808)), ("1e2", .real(100)),
      ("-0.25E-1", .real(-0.025)), ("\"\"", .text("")), ("\u{FEFF}[]", .list([])),
      ("[1, [2]]", .list([.integer(1), .list([.integer(2)])])), ("{}", .object([])),
      (
        "{\"a\":{\"b\":null},\"c\":1}",
        .object([
          JSONMember("a", .object([JSONMember("b", .null)])), JSONMember("c", .integer(1)),
        ])
      ),
      (#""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, .text("\"\\/\u{8}\u{C}\n\r\té😀")),
      ("\"e\u{301} 😀 \u{7F}\"", .text("e\u{301} 😀 \u{7F}")),
    ] as [(String, JSONValue)])
  func `a value is read`(text: String, value: JSONValue) throws {
    #expect(try Self.parse(text) == value)
  }

  @Test(
    arguments: [
      ("", 1, 1), ("  \n ", 2, 2), ("nul", 1, 1), ("[1 2]", 1, 4), ("[1,]", 1, 4), ("[,1]", 1, 2),
      ("{\"a\" 1}", 1, 6), ("{\"a\":1,}", 1, 8), ("{a:1}", 1, 2), ("{\"a\":1", 1, 7), ("[", 1, 2),
      ("\"abc", 1, 1), ("\"a\nb\"", 1, 3), (#""\x""#, 1, 3), (#""\u12g4""#, 1, 6),
      (#""\uD800""#, 1, 2), (#""\uDC00""#, 1, 2), (#""\uD800\u0041""#, 1, 2), ("01", 1, 2),
      ("1.", 1, 3), ("-", 1, 2), ("+1", 1, 1), ("1e", 1, 3), ("1e999", 1, 1), ("NaN", 1, 1),
      ("1 2", 1, 3), ("[\n  \"é\", ?\n]", 2, 8), ("'a'", 1, 1),
    ])
  func `what is no JSON is refused with its line and column`(
    text: String, line: Int, column: Int
  ) {
    let error = #expect(throws: JSONFileError.self) { try Self.parse(text) }
    #expect(error?.code == .notJSON)
    #expect(error?.file == "a.json")
    #expect(error?.place == "line \(line), column \(column)")
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0xFF], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC3, 0x22],
  ])
  func `bytes that are not UTF-8 are refused`(bytes: [UInt8]) {
    let error = #expect(throws: JSONFileError.self) { try JSONParser.parse(bytes, file: "a") }
    #expect(error?.code == .notJSON)
  }

  @Test func `a key that is there twice is refused`() {
    let error = #expect(throws: JSONFileError.self) { try Self.parse("{\"a\": 1,\n \"a\": 1}") }
    #expect(error?.code == .duplicate)
    #expect(error?.place == "line 2, column 2")
  }

  @Test func `values are nested up to the limit and no deeper`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try Self.parse(nested(JSONParser.depthLimit + 1))
    let error = #expect(throws: JSONFileError.self) { try Self.parse(nested(1_000_000)) }
    #expect(error?.code == .notJSON)
  }

  @Test(
    arguments: [
      "null", "true", "-7", "1.5", "\"a\\\"\\\\\\n\\u0001\\u007f\\u009bé\"",
      "[1, [], {\"a\": {}, \"b\": \"c\"}]",
    ])
  func `what is written is what was read`(text: String) throws {
    let value = try Self.parse(text)
    #expect(value.description == text)
    #expect(try Self.parse(value.description) == value)
  }
}
