// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct PredicateFormatTests {
  static let spellings: [(format: String, canonical: String)] = [
    ("truePredicate", "TRUEPREDICATE"), ("FALSEPREDICATE", "FALSEPREDICATE"),
    ("self='x'", #"SELF == "x""#), ("SELF <> 'x'", #"SELF != "x""#),
    ("sELF=<'x'", #"SELF <= "x""#), ("SELF=>'x'", #"SELF >= "x""#), ("SELF<'x'", #"SELF < "x""#),
    ("SELF > 'x'", #"SELF > "x""#), ("SELF beginsWith 'x'", #"SELF BEGINSWITH "x""#),
    ("SELF endswith'x'", #"SELF ENDSWITH "x""#), ("SELF Contains \"x\"", #"SELF CONTAINS "x""#),
    ("SELF like 'x'", #"SELF LIKE "x""#), ("SELF in'x'", #"SELF IN "x""#),
    ("SELF IN{'x'}", #"SELF IN {"x"}"#), ("SELF IN { }", "SELF IN {}"),
    ("SELF between{'x' ,'y'}", #"SELF BETWEEN {"x", "y"}"#),
    ("SELF==[c]'x'", #"SELF ==[c] "x""#), ("SELF != [ D ] 'x'", #"SELF !=[d] "x""#),
    ("SELF IN[Cd]{SELF}", "SELF IN[cd] {SELF}"), ("SELF == SELF", "SELF == SELF"),
    ("'x' LIKE[\tcD\n]SELF", #""x" LIKE[cd] SELF"#), ("{} CONTAINS[c] ''", #"{} CONTAINS[c] """#),
    // Parentheses around operands and elements go, wherever they are.
    ("((SELF)) == (('x'))", #"SELF == "x""#), ("({'x'}) CONTAINS SELF", #"{"x"} CONTAINS SELF"#),
    ("((SELF) == 'x')", #"SELF == "x""#), ("SELF IN ({('x'),((SELF))})", #"SELF IN {"x", SELF}"#),
    ("NOT(((SELF))='x')", #"NOT SELF == "x""#), ("(((SELF)==SELF))", "SELF == SELF"),
  ]

  @Test(arguments: spellings)
  func `each spelling has one canonical form`(format: String, canonical: String) throws {
    let predicate = try ContentPredicate(format: format)
    #expect(predicate.description == canonical)
    #expect(try ContentPredicate(format: canonical) == predicate)
  }

  static let connectives: [(format: String, canonical: String)] = [
    ("T or T OR T", "T OR T OR T"), ("T && T and T", "T AND T AND T"),
    ("T || F && F", "T OR (F AND F)"), ("T && F || F", "(T AND F) OR F"),
    ("T && F || T || F && T", "(T AND F) OR T OR (F AND T)"),
    ("T && F || F && T && F", "(T AND F) OR (F AND T AND F)"),
    ("!T && F", "NOT T AND F"), ("!(T && F)", "NOT (T AND F)"), ("!!T", "NOT NOT T"),
    ("!(!T)", "NOT NOT T"), ("!((T))", "NOT T"), ("NOT not(T||!F)", "NOT NOT (T OR NOT F)"),
    // Parentheses make a node of their own, also within a chain of the same connective.
    ("(T || F) || T", "(T OR F) OR T"), ("T || (F || T)", "T OR (F OR T)"),
    ("((T && F)) && (T)", "(T AND F) AND T"), ("(T || F) && T", "(T OR F) AND T"),
    ("T && (F || T) && (F)", "T AND (F OR T) AND F"),
    ("(T && F || T) && F || T", "(((T AND F) OR T) AND F) OR T"),
    ("!(T && !(F || (T && F)))", "NOT (T AND NOT (F OR (T AND F)))"),
  ]

  @Test(arguments: connectives)
  func `connectives nest as they bind`(format: String, canonical: String) throws {
    func spelled(_ short: String) -> String {
      short.replacing("T", with: "TRUEPREDICATE").replacing("F", with: "FALSEPREDICATE")
        .replacing("NOTRUEPREDICATE", with: "NOT")
    }
    let expected = spelled(canonical)
    let predicate = try ContentPredicate(format: spelled(format))
    #expect(predicate.description == expected)
    #expect(try ContentPredicate(format: expected) == predicate)
  }

  static let strings: [(literal: String, text: String)] = [
    (#"'\\\'\"\n\r\t'"#, "\\'\"\n\r\t"), (#"'\x41\X7a'"#, "Az"), (#"'\u00e9\U20AC'"#, "é€"),
    (#"'\000\101\777'"#, "\0A\u{1FF}"), (#"'\1012'"#, "A2"),
    (#"'\uFFFF\ud7ff\uE000'"#, "\u{FFFF}\u{D7FF}\u{E000}"),
    (#""it's""#, "it's"), (#"'say "x"'"#, "say \"x\""), ("'%@ %K $x #'", "%@ %K $x #"),
    ("'\u{301}'", "\u{301}"), ("'a\r\nb'", "a\r\nb"), ("'\0'", "\0"), ("'🤡'", "🤡"),
  ]

  @Test(arguments: strings)
  func `a string is the text that its escapes mean`(literal: String, text: String) throws {
    let predicate = try ContentPredicate(format: "SELF == \(literal)")
    #expect(predicate == (try .equals(text)))
    #expect(try ContentPredicate(format: predicate.description) == predicate)
  }

  static let arguments: [(format: String, arguments: [any Sendable], canonical: String)] = [
    ("SELF == %@", ["x"], #"SELF == "x""#), ("%K == %@", ["self", "SELF"], #"SELF == "SELF""#),
    ("SELF == %@", ["\\n'\"%@"], #"SELF == "\\n'\"%@""#),
    ("SELF IN %@", [["x", "y"]], #"SELF IN {"x", "y"}"#),
    ("SELF IN %@", [[String]()], "SELF IN {}"), ("SELF IN %@", ["xy"], #"SELF IN "xy""#),
    ("%@ CONTAINS %K", [["x"], "Self"], #"{"x"} CONTAINS SELF"#),
    ("SELF IN {%@, %K, %@}", ["x", "SELF", "y"], #"SELF IN {"x", SELF, "y"}"#),
    ("SELF BETWEEN %@", [["x", "y"]], #"SELF BETWEEN {"x", "y"}"#),
    ("SELF == '%@' OR SELF == %@", ["x", "y"], #"SELF == "%@" OR SELF == "x""#),
    ("(%K) == ((%@))", ["SELF", "x", 5], #"SELF == "x""#),
    ("SELF == %@", ["xyz".dropFirst()], #"SELF == "yz""#),
    ("SELF IN %@", ["x-y".split(separator: "-")], #"SELF IN {"x", "y"}"#),
  ]

  @Test(arguments: arguments.indices)
  func `arguments appear as literals`(index: Int) throws {
    let (format, arguments, canonical) = Self.arguments[index]
    #expect(try ContentPredicate(format: format, arguments: arguments).description == canonical)
  }

  @Test func `arguments may be literals in the source`() throws {
    #expect(
      try ContentPredicate(format: "SELF == %@ OR SELF IN %@", "x", ["y"]).description
        == #"SELF == "x" OR SELF IN {"y"}"#)
  }

  @Test func `the format, the canonical string and the terms have limits`() throws {
    func code(_ format: String, _ arguments: [any Sendable] = []) -> PredicateFormatError.Code? {
      do throws(PredicateFormatError) {
        _ = try ContentPredicate(format: format, arguments: arguments)
        return nil
      } catch {
        #expect(error.code != .limitExceeded || error.position == nil)
        return error.code
      }
    }
    let text = String(repeating: "x", count: 4_086)
    #expect(code("SELF == '\(text)'") == nil)
    #expect(code("SELF == '\(text)' ") == .limitExceeded)
    // Before anything else, even before an error in the first byte.
    #expect(code(")" + String(repeating: " ", count: 4_096)) == .limitExceeded)
    #expect(code("SELF == %@", [text]) == nil)
    #expect(code("SELF == %@", [text + "x"]) == .limitExceeded)
    #expect(code("SELF == '\(String(repeating: "\n", count: 2_044))'") == .limitExceeded)
    #expect(code(String(repeating: "!", count: 1_021) + "TRUEPREDICATE") == .limitExceeded)
    #expect(code(String(repeating: "!", count: 1_020) + "TRUEPREDICATE") == nil)
    let chain = "TRUEPREDICATE" + String(repeating: " OR SELF<''", count: 63)
    #expect(code(chain) == nil)
    #expect(code(chain + " OR SELF<''") == .limitExceeded)
    // A place in the format comes before a limit, which has none.
    #expect(code(chain + " OR SELF<'' OR") == .syntax)
    let many = Array(repeating: "", count: 100_000)
    #expect(code("SELF IN %@ AND SELF IN %@", [many, many]) == .limitExceeded)
    #expect(code("SELF BETWEEN %@", [[text, text]]) == .limitExceeded)
    #expect(code("SELF BETWEEN %@", [[text, text, text]]) == .typeMismatch)
  }

  @Test func `negations may be as deep as a canonical string can hold`() throws {
    let predicate = try ContentPredicate(
      format: String(repeating: "NOT ", count: 1_020) + "'' < ''")
    #expect(!predicate.evaluate(""))
    #expect(predicate.description.utf8.count == 4_087)
    #expect(try ContentPredicate(format: predicate.description).hashValue == predicate.hashValue)
    #expect(try ContentPredicate(format: "NOT " + predicate.description).evaluate(""))
  }
}
