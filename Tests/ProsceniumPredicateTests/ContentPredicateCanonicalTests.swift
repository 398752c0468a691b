// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct ContentPredicateCanonicalTests {
  @Test func `each form has its canonical string`() throws {
    #expect(ContentPredicate.true.description == "TRUEPREDICATE")
    #expect(ContentPredicate.false.description == "FALSEPREDICATE")
    #expect(ContentPredicate.equals("x").description == #"SELF == "x""#)
    #expect(ContentPredicate.hasPrefix("a/").description == #"SELF BEGINSWITH "a/""#)
    #expect(
      try ContentPredicate.any(of: [.equals("x"), .hasPrefix("y"), .true]).description
        == #"SELF == "x" OR SELF BEGINSWITH "y" OR TRUEPREDICATE"#)
  }

  static let escapes: [(text: String, canonical: String)] = [
    ("", ""), ("it's", "it's"), (#"say "x""#, #"say \"x\""#), (#"a\b"#, #"a\\b"#), ("\n", #"\n"#),
    ("\r\n", #"\r\n"#), ("\t", #"\t"#), ("\0", #"\u0000"#), ("a\u{1}b", #"a\u0001b"#),
    ("\u{F}\u{10}\u{1F}", #"\u000f\u0010\u001f"#), ("\u{7F}", #"\u007f"#), ("\u{80}", "\u{80}"),
    ("é\n", #"é\n"#), ("e\u{301}\"", "e\u{301}\\\""),
    ("👩‍👩‍👧\t", "👩‍👩‍👧\\t"), ("%@ $x", "%@ $x"),
    // A combining mark does not hide the quote it is on.
    ("\"\u{301}", "\\\"\u{301}"),
  ]

  @Test(arguments: escapes)
  func `texts are escaped`(text: String, canonical: String) throws {
    let printed = try ContentPredicate.equals(text).description
    #expect(Array(printed.utf8) == Array("SELF == \"\(canonical)\"".utf8))
  }
}
