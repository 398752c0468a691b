// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumPredicate

@Suite struct PredicateFormatErrorTests {
  typealias Code = PredicateFormatError.Code

  static func error(
    _ format: String, _ arguments: [any Sendable] = []
  ) -> PredicateFormatError? {
    do throws(PredicateFormatError) {
      _ = try ContentPredicate(format: format, arguments: arguments)
      return nil
    } catch {
      return error
    }
  }

  static let syntax: [(format: String, position: Int)] = [
    ("", 0), (" \t\n", 3), ("SELF", 4), ("(SELF)", 6), ("SELF = ", 7), ("SELF = 'a' OR ", 14),
    ("NOT", 3), ("(", 1), ("()", 1), ("SELF IN {", 9), ("SELF IN {'a',", 13), ("SELF == (", 9),
    ("SELF == ('a'", 12), ("SELF == ('a']", 12), ("(SELF 'a')", 6),
    ("(NOT SELF) == 'a'", 9), ("(SELF = 'a' OR SELF) = 'b'", 19), ("SELF == 'a')", 11),
    ("(SELF == 'a'))", 13), ("(SELF == 'a') == 'b'", 14), ("(TRUEPREDICATE) == 'a'", 16),
    ("TRUEPREDICATE = 'a'", 14), ("SELF == TRUEPREDICATE", 8), ("AND SELF = 'a'", 0),
    ("SELF AND 'a'", 5), ("SELF == AND", 8), ("SELF == LIKE('a')", 8), ("LIKE 'a'", 0),
    ("SELF = = 'a'", 7), ("SELF <=> 'a'", 7), ("SELF ! = 'a'", 5), ("SELF =! 'a'", 6),
    ("SELF == 'a' | SELF == 'b'", 12), ("SELF == 'a' OR OR SELF == 'b'", 15),
    ("SELF == null", 8), ("SELF == YES", 8), ("true", 0), ("SELF == -1", 8), ("5 == SELF", 0),
    ("SELF + 'a' == 'b'", 5), ("SELF[0] == 'a'", 4), ("SELF == SELF[0]", 12), ("SELF ** 'a'", 5),
    ("SELF == %d", 8), ("SELF == %k", 8), ("SELF == %", 8), ("SELF %@ 'a'", 5), ("%% == 'a'", 0),
    ("SELF ==[] 'a'", 7), ("SELF ==[dc] 'a'", 7), ("SELF ==[c d] 'a'", 7), ("SELF ==[c", 7),
    ("SELF == [c", 8), ("SELF ==['c'] 'a'", 7), ("SELF ==[c][d] 'a'", 10),
    ("SELF BETWEEN [c] {}", 13),
    ("SELF == 'a", 8), ("SELF == 'a\"", 8), ("SELF == '", 8), (#"SELF == 'a\'"#, 8),
    (#"SELF == '\"#, 8),
    (#"SELF == '\a'"#, 9), (#"SELF == 'xy\x4'"#, 11), (#"SELF == '\u12G4'"#, 9),
    (#"SELF == '\uD800'"#, 9), (#"SELF == '\uDFFF'"#, 9), (#"SELF == '\018'"#, 9),
    (#"SELF == '\12'"#, 9),
    (#"SELF == 'a' SELF == '\q'"#, 12), (#"SELF '\q'"#, 5), ("SELF == 'é' é", 13), ("é == 'a'", 0),
    ("\u{A0}SELF == 'a'", 0), ("SELF\u{B}== 'a'", 4), ("SELF; == 'a'", 4), ("SELF ≠ 'a'", 5),
    ("SELF STARTSWITH 'a'", 5), ("SELF NOTIN {}", 5), ("SELF == $", 8), ("SELF == @'a'", 8),
    ("'a'.length == 'b'", 3), ("(SELF).x == 'a'", 6), ("SELF IN {,}", 9), ("SELF IN }", 8),
    ("SELF === 'a'", 7),
  ]

  @Test(arguments: syntax)
  func `what is no sentence is a syntax error at its first wrong token`(
    format: String, position: Int
  ) throws {
    let error = try #require(Self.error(format))
    #expect(error.code == .syntax)
    #expect(error.position == position)
  }

  static let refusals: [(format: String, code: Code, position: Int)] = [
    ("SELF MATCHES 'a'", .operatorNotAllowed, 5),
    ("SELF UTI-CONFORMS-TO 'a'", .operatorNotAllowed, 5),
    ("SELF uti-equals 'a'", .operatorNotAllowed, 5), ("NOT ALL SELF = 'a'", .operatorNotAllowed, 4),
    ("some(SELF) = 'a'", .operatorNotAllowed, 0), ("SELF = NONE", .operatorNotAllowed, 7),
    ("SELF = 'a' MATCHES 'b'", .operatorNotAllowed, 11),
    ("SELF IN {'a' any", .operatorNotAllowed, 13),
    ("name == 'a'", .keyPathNotAllowed, 0), ("SELF == _x9", .keyPathNotAllowed, 8),
    ("SELF == CAST", .keyPathNotAllowed, 8),
    ("SELF . x == 'a'", .keyPathNotAllowed, 5), ("'a' == SELF.x", .keyPathNotAllowed, 11),
    ("SELF IN {SELF.x}", .keyPathNotAllowed, 13),
    ("SELF == @avg", .keyPathNotAllowed, 8), ("#x == 'a'", .keyPathNotAllowed, 0),
    ("SELFISH == 'a'", .keyPathNotAllowed, 0),
    ("NOTSELF == 'a'", .keyPathNotAllowed, 0), ("UTI-CONFORM == 'a'", .keyPathNotAllowed, 0),
    ("(a)", .keyPathNotAllowed, 1),
    ("$x == 'a'", .variableNotAllowed, 0), ("SELF IN {$_}", .variableNotAllowed, 9),
    ("SELF $x 'a'", .variableNotAllowed, 5),
    ("length (SELF) > 'a'", .functionNotAllowed, 0), ("SELF == now()", .functionNotAllowed, 8),
    ("SELF IN {f(", .functionNotAllowed, 9),
    ("SELF == {}", .typeMismatch, 8), ("{} != SELF", .typeMismatch, 0),
    ("SELF LIKE {'a'} OR", .typeMismatch, 10),
    ("SELF == ({'a'}) 'x", .typeMismatch, 9), ("{'a'} IN {'a'}", .typeMismatch, 0),
    ("SELF CONTAINS {'a'}", .typeMismatch, 14),
    ("SELF BETWEEN SELF", .typeMismatch, 13), ("SELF BETWEEN {'a', 'b', 'c'}", .typeMismatch, 13),
    ("{'a'} BETWEEN {'a', 'b'}", .typeMismatch, 0),
    ("SELF IN {'a', {'b'}, {}}", .typeMismatch, 14), ("{{{}}} CONTAINS SELF", .typeMismatch, 1),
    ("SELF BETWEEN {'a', {'b'}}", .typeMismatch, 19),
    ("{{}} == {{}}", .typeMismatch, 0),
  ]

  @Test(arguments: refusals)
  func `what is refused has a code of its own`(format: String, code: Code, position: Int) throws {
    let error = try #require(Self.error(format))
    #expect(error.code == code)
    #expect(error.position == position)
  }

  static let arguments: [(format: String, arguments: [any Sendable], code: Code, position: Int)] = [
    ("SELF == %@", [], .argument, 8), ("%K == %@", ["SELF"], .argument, 6),
    ("%K == 'a'", [], .argument, 0),
    ("SELF == %@", [5], .argument, 8), ("SELF IN %@", [[1, 2]], .argument, 8),
    ("SELF IN %@", [Set(["a"])], .argument, 8),
    ("SELF == %@", [Optional<String>.none], .argument, 8), ("%K == 'a'", [5], .argument, 0),
    ("%K == 'a'", ["self.x"], .keyPathNotAllowed, 0),
    ("%K == 'a'", [["SELF"]], .keyPathNotAllowed, 0),
    ("%K.x == 'a'", ["SELF"], .keyPathNotAllowed, 2),
    ("SELF == %@", [["a"]], .typeMismatch, 8), ("SELF BETWEEN %@", [["a"]], .typeMismatch, 13),
    ("SELF BETWEEN %@", [["a", "b", "c"]], .typeMismatch, 13),
    ("SELF IN {%@}", [["a"]], .typeMismatch, 9),
    // No argument is asked for before the comparison before it is complete and right.
    ("{} == %@ OR SELF == %@", ["a"], .typeMismatch, 0), ("SELF 'x' %@", [], .syntax, 5),
  ]

  @Test(arguments: arguments.indices)
  func `an argument that does not fit is refused at its placeholder`(index: Int) throws {
    let (format, arguments, code, position) = Self.arguments[index]
    let error = try #require(Self.error(format, arguments))
    #expect(error.code == code)
    #expect(error.position == position)
  }

  static let sentences: [(format: String, part: String)] = [
    ("SELF BEGINWITH 'a'", "the word BEGINWITH was found. Did you mean BEGINSWITH?"),
    ("SELF endwith 'a'", "Did you mean ENDSWITH?"), ("SELF CONTIANS 'a'", "Did you mean CONTAINS?"),
    ("SELF LIEK 'a'", "Did you mean LIKE?"), ("SLEF == 'a'", "Did you mean SELF?"),
    ("TRUEPREDICAT", "Did you mean TRUEPREDICATE?"),
    ("SELF == 'a' ADN SELF == 'b'", "Did you mean AND?"),
    ("SELF NOT IN {}", "NOT precedes the whole comparison"), ("SELF MATCHES 'a'", "use LIKE"),
    ("ANY SELF == 'a'", "use IN"), ("SELF.x == 'a'", "R-PR-1"), ("$x == 'a'", "R-PR-2"),
    ("f(SELF) == 'a'", "R-PR-2"),
    ("(SELF == 'a'", ") for the parenthesis opened at byte 0"),
    ("SELF IN {'a'", "} for the list opened at byte 8"),
    ("SELF == 5", "the number 5 was found"), ("SELF ==", "the end of the format was found"),
    ("SELF \u{1} 'a'", "U+1 was found"), ("SELF BETWEEN {'a'}", "a list of 1 was found"),
    ("SELF XYZZY 'a'", "the word XYZZY was found."),
  ]

  @Test(arguments: sentences)
  func `a sentence says what was found and what to write`(format: String, part: String) throws {
    let error = try #require(Self.error(format))
    #expect(error.message.contains(part), "\(error)")
  }

  @Test func `no sentence repeats a long word`() throws {
    let error = try #require(Self.error("SELF " + String(repeating: "x", count: 4_000) + " 'a'"))
    #expect(error.message.utf8.count < 200)
  }

  @Test func `an error prints its code, its place and its sentence`() {
    let error = PredicateFormatError(.syntax, "An operator was expected.", position: 5)
    #expect(error.description == "syntax at byte 5: An operator was expected.")
    #expect(error != PredicateFormatError(.syntax, "An operator was expected."))
  }

  static let renderings: [(format: String, position: Int?, lines: [String])] = [
    ("SELF x", 5, ["syntax at byte 5: S.", "  SELF x", "       ^"]),
    ("", 0, ["syntax at byte 0: S.", "  ", "  ^"]),
    ("é x", 3, ["syntax at byte 3: S.", "  é x", "    ^"]),
    ("a\nbc\r\nd", 3, ["syntax at byte 3: S.", "  bc", "   ^"]),
    (
      String(repeating: "a", count: 50) + "b" + String(repeating: "c", count: 50), 50,
      [
        "syntax at byte 50: S.",
        "  " + String(repeating: "a", count: 40) + "b" + String(repeating: "c", count: 19),
        String(repeating: " ", count: 42) + "^",
      ]
    ),
    ("SELF", 9, ["syntax at byte 9: S."]), ("SELF", nil, ["syntax: S."]),
  ]

  @Test(arguments: renderings.indices)
  func `a rendering marks the place in its line`(index: Int) {
    let (format, position, lines) = Self.renderings[index]
    let error = PredicateFormatError(.syntax, "S.", position: position)
    #expect(error.rendered(in: format).split(separator: "\n").map(String.init) == lines)
  }
}
