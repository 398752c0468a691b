// SPDX-License-Identifier: Apache-2.0

import ProsceniumTestKit
import Testing

@Suite struct ExpectedTimelineTests {
  @Test func `a text is read line by line`() throws {
    let expected = try ExpectedTimeline(
      """
      // of a launch
      app.didFinishLaunching

        S1#1.willConnect({})\u{20}
      """)
    #expect(
      expected.entries == [.line("app.didFinishLaunching"), .line("S1#1.willConnect({})")])
  }

  @Test func `a group is read with its sequences`() throws {
    let expected = try ExpectedTimeline("first\n{\na\nb\n|\nc\n}\nlast")
    #expect(
      expected.entries == [.line("first"), .unordered([["a", "b"], ["c"]]), .line("last")])
  }

  @Test(arguments: ["", "a\nb\n", "a\n{\n  b\n  c\n|\n  d\n}\ne\n", "{\n  a\n}\n"])
  func `what is written is read again`(text: String) throws {
    let expected = try ExpectedTimeline(text)
    #expect(expected.description == text)
  }

  @Test(arguments: [
    ("{\na", TimelineSyntaxError.Code.missingMark, 2),
    ("a\n{\na\n{", .unexpectedMark, 4),
    ("|", .unexpectedMark, 1),
    ("}", .unexpectedMark, 1),
    ("{\n}", .unexpectedMark, 2),
    ("{\n|", .unexpectedMark, 2),
    ("{\na\n|\n}", .unexpectedMark, 4),
    ("{\na\na\n|\nb\na\n}", .ambiguousLine, 6),
    (String(repeating: "a", count: ExpectedTimeline.sizeLimit + 1), .limitExceeded, 1),
  ])
  func `what cannot be read is refused with its line`(
    text: String, code: TimelineSyntaxError.Code, line: Int
  ) {
    #expect {
      try ExpectedTimeline(text)
    } throws: { error in
      let error = error as? TimelineSyntaxError
      return error?.code == code && error?.line == line
    }
  }

  @Test func `an error is a sentence`() throws {
    let error = try #require(throws: TimelineSyntaxError.self) { try ExpectedTimeline("\n{\na") }
    #expect(
      error.description == "line 3: expected } for the group that begins in line 2, found the end")
  }
}
