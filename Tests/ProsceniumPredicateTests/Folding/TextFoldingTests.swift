// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct TextFoldingTests {
  static let all: [Comparison.Options] = [
    .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  /// A text, and what becomes of it with `[c]`, `[d]` and `[cd]`.
  static let examples: [(text: String, c: String, d: String, cd: String)] = [
    ("", "", "", ""),
    (
      "AZ az @[`{ 09\0\u{7F}", "az az @[`{ 09\0\u{7F}", "AZ az @[`{ 09\0\u{7F}",
      "az az @[`{ 09\0\u{7F}"
    ),
    ("Id\u{E9}e/Menu", "id\u{E9}e/menu", "Idee/Menu", "idee/menu"),
    ("Ide\u{301}e/Menu", "id\u{E9}e/menu", "Idee/Menu", "idee/menu"),
    ("\u{C9}T\u{C9}", "\u{E9}t\u{E9}", "ETE", "ete"),
    // A mark that begins the text, and one behind an ASCII scalar that it is composed with.
    ("\u{301}a", "\u{301}a", "a", "a"),
    ("=\u{338}", "\u{2260}", "=", "="),
    // Vietnamese: two marks, in the wrong order first.
    ("A\u{323}\u{302}", "\u{1EAD}", "A", "a"),
    ("A\u{302}\u{323}", "\u{1EAD}", "A", "a"),
    // A mark that comes apart into two, which come before the one in front of it.
    (
      "\u{1DF8}\u{F73}", "\u{F71}\u{F72}\u{1DF8}", "\u{F71}\u{F72}\u{1DF8}",
      "\u{F71}\u{F72}\u{1DF8}"
    ),
    // Marks outside the removed range stay, and change places once nothing keeps them apart.
    ("a\u{34F}b", "a\u{34F}b", "ab", "ab"),
    ("a\u{20D0}\u{34F}\u{5B0}", "a\u{20D0}\u{34F}\u{5B0}", "a\u{5B0}\u{20D0}", "a\u{5B0}\u{20D0}"),
    ("\u{419}\u{451}", "\u{439}\u{451}", "\u{418}\u{435}", "\u{438}\u{435}"),
    // Korean: composed from its parts, which are letters and not diacritics.
    (
      "\u{1112}\u{1161}\u{11AB}\u{AE00}", "\u{D55C}\u{AE00}", "\u{D55C}\u{AE00}", "\u{D55C}\u{AE00}"
    ),
    ("\u{AC00}\u{11AE}", "\u{AC07}", "\u{AC07}", "\u{AC07}"),
    ("\u{AC00}\u{11A7}", "\u{AC00}\u{11A7}", "\u{AC00}\u{11A7}", "\u{AC00}\u{11A7}"),
    ("\u{AC01}\u{11A8}", "\u{AC01}\u{11A8}", "\u{AC01}\u{11A8}", "\u{AC01}\u{11A8}"),
    // Voiced kana, an exclusion, a singleton, a compatibility character.
    ("\u{30AB}\u{3099}", "\u{30AC}", "\u{30AC}", "\u{30AC}"),
    ("\u{958}", "\u{915}\u{93C}", "\u{915}\u{93C}", "\u{915}\u{93C}"),
    ("\u{212B}", "\u{E5}", "A", "a"),
    ("\u{FA10}", "\u{585A}", "\u{585A}", "\u{585A}"),
    (
      "\u{FB01}\u{FF21}\u{2460}", "fi\u{FF41}\u{2460}", "\u{FB01}\u{FF21}\u{2460}",
      "fi\u{FF41}\u{2460}"
    ),
    ("\u{10400}\u{1F600}", "\u{10428}\u{1F600}", "\u{10400}\u{1F600}", "\u{10428}\u{1F600}"),
  ]

  @Test(arguments: examples)
  func `a text is folded as the options say`(
    text: String, c: String, d: String, cd: String
  ) throws {
    #expect(try text.folded([]) == text.scalars)
    #expect(try text.folded(.caseInsensitive) == c.scalars)
    #expect(try text.folded(.diacriticInsensitive) == d.scalars)
    #expect(try text.folded([.caseInsensitive, .diacriticInsensitive]) == cd.scalars)
  }

  /// Facts of CaseFolding.txt, its rows C and F.
  static let foldings: [(text: String, folded: String)] = [
    ("\u{DF}", "ss"), ("\u{1E9E}", "ss"), ("\u{130}", "i\u{307}"), ("\u{131}", "\u{131}"),
    ("I", "i"), ("\u{3A3}\u{3C2}\u{3C3}", "\u{3C3}\u{3C3}\u{3C3}"), ("\u{17F}", "s"),
    ("\u{212A}", "k"), ("\u{B5}", "\u{3BC}"), ("\u{149}", "\u{2BC}n"), ("\u{1F0}", "\u{1F0}"),
    ("\u{1C4}\u{1C5}", "\u{1C6}\u{1C6}"), ("\u{587}", "\u{565}\u{582}"),
    // Cherokee folds to upper case.
    ("\u{AB70}", "\u{13A0}"), ("\u{13A0}", "\u{13A0}"), ("\u{13F8}", "\u{13F0}"),
    // The iota below a letter becomes a letter, behind the marks that stood after it.
    ("\u{345}", "\u{3B9}"), ("\u{1FB3}", "\u{3B1}\u{3B9}"),
    ("\u{3B1}\u{345}\u{301}", "\u{3AC}\u{3B9}"), ("\u{1F88}", "\u{1F00}\u{3B9}"),
    ("\u{1FFC}", "\u{3C9}\u{3B9}"), ("\u{390}", "\u{390}"), ("\u{1FD3}", "\u{390}"),
    ("\u{FB00}\u{FB03}\u{FB06}", "ffffist"), ("\u{FB17}", "\u{574}\u{56D}"),
    ("\u{1E9B}", "\u{1E61}"), ("\u{3F4}\u{3D1}", "\u{3B8}\u{3B8}"), ("\u{1C90}", "\u{10D0}"),
    ("\u{2160}\u{24B6}", "\u{2170}\u{24D0}"), ("\u{1E921}", "\u{1E943}"), ("\u{A7CE}", "\u{A7CF}"),
  ]

  @Test(arguments: foldings)
  func `case is folded fully and not only lowered`(text: String, folded: String) throws {
    #expect(try text.folded(.caseInsensitive) == folded.scalars)
  }

  @Test func `ASCII is the same at every place of a long text`() throws {
    let letters = String(repeating: "aBcDeFgHiJkLmNoPqRsTuVwXyZ", count: 4)
    for length in 0...letters.count {
      let text = String(letters.prefix(length))
      let folded = text.lowercased().scalars
      #expect(try text.folded(.caseInsensitive) == folded)
      #expect(try (text + "\u{DC}" + text).folded(.caseInsensitive) == folded + ["\u{FC}"] + folded)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a storm of marks behind one letter is sorted in time`() throws {
    // Some 300 KB: what takes quadratic time does not end within the limit.
    let classes: [Unicode.Scalar] = [
      "\u{345}", "\u{1DC0}", "\u{301}", "\u{5B0}", "\u{327}", "\u{334}",
    ]
    let count = 20_000
    let storm = "q" + String(repeating: String(classes), count: count)
    let marks = { (scalars: [Unicode.Scalar]) in
      Array(repeatElement(scalars, count: count).joined())
    }
    let sorted =
      ["q"] + marks(["\u{334}"]) + marks(["\u{5B0}"]) + marks(["\u{327}"])
      + marks(["\u{1DC0}", "\u{301}"])
    #expect(try storm.folded(.caseInsensitive) == sorted + marks(["\u{3B9}"]))
    let undecorated = ["q"] + marks(["\u{5B0}"]) + marks(["\u{1DC0}"])
    #expect(try storm.folded(.diacriticInsensitive) == undecorated)
  }
}
