// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Testing

@testable import Proscenium

@Suite struct RoutingPlanTests {
  /// A plan in one line: `=a` for a whole identifier, `a*`, `*a` and `*a*` for its parts, with the
  /// options behind it and a question mark where the text is only a hint.
  private static func line(_ entry: RoutingPlan.Entry) -> String {
    switch entry {
    case .everything: return "everything"
    case .nothing: return "nothing"
    case .residual: return "residual"
    case .terms(let references):
      return references.map { reference in
        let text = String(decoding: reference.term.text, as: UTF8.self)
        let term =
          switch reference.term.position {
          case .whole: "=\(text)"
          case .beginning: "\(text)*"
          case .ending: "*\(text)"
          case .anywhere: "*\(text)*"
          }
        let options = ["", "[c]", "[d]", "[cd]"][Int(reference.term.options.rawValue)]
        return term + options + (reference.decides ? "" : "?")
      }.joined(separator: " ")
    }
  }

  static let plans: [(String, String)] = [
    ("TRUEPREDICATE", "everything"),
    ("FALSEPREDICATE", "nothing"),
    ("NOT TRUEPREDICATE", "nothing"),
    ("SELF == 'a'", "=a"),
    ("'a' == SELF", "=a"),
    ("SELF ==[c] 'A'", "=a[c]"),
    ("SELF ==[cd] 'É'", "=e[cd]"),
    ("SELF == ''", "="),
    ("SELF != 'a'", "residual"),
    ("NOT SELF != 'a'", "=a"),
    ("NOT SELF == 'a'", "residual"),
    ("SELF < 'a'", "residual"),
    ("SELF BETWEEN {'a', 'b'}", "residual"),
    ("'a' == 'a'", "everything"),
    ("'a' == 'b'", "nothing"),
    ("NOT 'a' == 'b'", "everything"),
    ("SELF == SELF", "residual"),
    ("SELF BEGINSWITH 'ab'", "ab*"),
    ("SELF BEGINSWITH ''", "nothing"),
    ("NOT SELF BEGINSWITH 'ab'", "residual"),
    ("SELF ENDSWITH[d] 'bé'", "*be[d]"),
    ("SELF CONTAINS 'ab'", "*ab*"),
    ("'ab' IN SELF", "*ab*"),
    ("SELF IN {'a', 'b', 'a'}", "=a =b"),
    ("{'a', 'b'} CONTAINS SELF", "=a =b"),
    ("SELF IN {}", "nothing"),
    ("SELF IN 'ab'", "residual"),
    ("SELF LIKE 'ab'", "=ab"),
    ("SELF LIKE ''", "="),
    ("SELF LIKE '*'", "everything"),
    ("SELF LIKE '**'", "everything"),
    ("SELF LIKE '?'", "residual"),
    ("SELF LIKE '?*'", "residual"),
    ("SELF LIKE 'ab*'", "ab*"),
    ("SELF LIKE '*ab'", "*ab"),
    ("SELF LIKE '*ab*'", "*ab*"),
    ("SELF LIKE 'a?'", "a*?"),
    ("SELF LIKE 'a*bcd'", "*bcd?"),
    ("SELF LIKE 'abc*d'", "abc*?"),
    ("SELF LIKE '*ab?cdefg*'", "*cdefg*?"),
    ("SELF == 'a' OR SELF == 'b'", "=a =b"),
    ("SELF == 'a' OR SELF != 'b'", "residual"),
    ("SELF == 'a' OR TRUEPREDICATE", "everything"),
    ("SELF == 'a' OR FALSEPREDICATE", "=a"),
    ("SELF == 'a' AND TRUEPREDICATE", "=a"),
    ("SELF == 'a' AND FALSEPREDICATE", "nothing"),
    ("SELF == 'a' AND SELF != 'b'", "=a?"),
    ("SELF != 'a' AND SELF != 'b'", "residual"),
    ("SELF BEGINSWITH 'a' AND SELF ENDSWITH 'bcd'", "*bcd?"),
    ("SELF BEGINSWITH 'abc' AND SELF == 'd'", "=d?"),
    ("NOT (SELF != 'a' AND SELF != 'b')", "=a =b"),
    ("NOT (SELF != 'a' OR SELF BEGINSWITH 'b')", "=a?"),
    ("SELF == 'a' OR (SELF == 'a' AND SELF != 'b')", "=a"),
    ("(SELF == 'a' AND SELF != 'b') OR SELF == 'a'", "=a"),
    ("SELF == 'a' OR (SELF BEGINSWITH 'b' AND SELF != 'bc')", "=a b*?"),
    ("(SELF == 'a' OR SELF == 'b') AND SELF CONTAINS 'abcdef'", "=a? =b?"),
  ]

  @Test(arguments: plans)
  func `a predicate is entered under the texts that its identifiers have`(
    _ format: String, _ right: String
  ) throws {
    let plan = RoutingPlan(try ContentPredicate(format: format))
    #expect(Self.line(plan.entry()) == right)
  }

  @Test func `of the parts of an AND the one with fewer entries is taken`() throws {
    let plan = RoutingPlan(
      try ContentPredicate(format: "SELF == 'a' AND (SELF BEGINSWITH 'b' OR SELF ENDSWITH 'c')"))
    #expect(Self.line(plan.entry { $0.position == .whole ? 3 : 1 }) == "b*? *c?")
    #expect(Self.line(plan.entry { $0.position == .whole ? 1 : 1 }) == "=a?")
  }

  @Test func `a text of a plan lies in every identifier, and one that decides in no other`() throws
  {
    for seed in UInt64(1)...8 {
      var random = RandomConditions(random: SplitMix64(seed: seed))
      for _ in 0..<150 {
        let predicate = random.predicate()
        let plan = RoutingPlan(predicate)
        let loads = random.random.next()
        let entry = plan.entry { term in Int(loads >> UInt64(term.text.count) & 3) }
        for _ in 0..<12 {
          let identifier = random.identifier()
          let holds = predicate.evaluate(identifier)
          let comment = Comment(rawValue: "seed \(seed): \(predicate) of '\(identifier)'")
          switch entry {
          case .everything: #expect(holds, comment)
          case .nothing: #expect(!holds, comment)
          case .residual: break
          case .terms(let references):
            let matching = references.filter { $0.term.lies(in: identifier) }
            #expect(!holds || !matching.isEmpty, comment)
            #expect(holds || !matching.contains(where: \.decides), comment)
          }
        }
      }
    }
  }

  /// Letters that grow when they are folded, and all options.
  @Test(
    arguments: ["\u{390}", "\u{FB03}", "\u{1D160}", "ß", "\u{1F80}", "각"],
    [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
      as [ContentPredicate.Options])
  func `the longest texts are found, also where folding makes them longer`(
    _ letter: String, _ options: ContentPredicate.Options
  ) throws {
    let text = String(repeating: letter, count: 4_000 / letter.utf8.count)
    #expect(TextFolding.fold(text.utf8.span, options).count < 65_536)
    let router = ContentRouter { SessionIdentifier(high: 0, low: UInt64($0.rawValue)) }
    let predicates = [
      try ContentPredicate.equals(text, options: options), try .hasPrefix(text, options: options),
      try .hasSuffix(text, options: options), try .contains(text, options: options),
    ]
    let identifiers = [text, text + "\u{1}", "\u{1}" + text, "\u{1}" + text + "\u{1}"]
    for (number, predicate) in predicates.enumerated() {
      router.insert(
        SessionHandle(rawValue: UInt32(number)), role: 0,
        SessionRank(.background, lastActivated: UInt64(10 - number)),
        SceneActivationConditions(prefers: predicate))
    }
    for (number, identifier) in identifiers.enumerated() {
      let right = RoutingChoice(.prefers, SessionHandle(rawValue: UInt32(number)))
      #expect(try router.choose(identifier) == right)
    }
  }
}

extension RoutingTerm {
  /// Whether an identifier has the text where it has to be, without any index.
  fileprivate func lies(in identifier: String) -> Bool {
    let subject = TextFolding.fold(identifier.utf8.span, options)
    return switch position {
    case .whole: subject == text
    case .beginning: subject.starts(with: text)
    case .ending: subject.suffix(text.count) == text[...]
    case .anywhere: subject.indices.contains { subject[$0...].starts(with: text) }
    }
  }
}
