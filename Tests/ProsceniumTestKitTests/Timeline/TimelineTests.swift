// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumTestKit
import Testing

@Suite struct TimelineTests {
  private func timeline(_ text: String) -> Timeline {
    Timeline(lines: text.split(separator: " ").map(String.init))
  }

  @Test(arguments: [
    ("", ""),
    ("a b c", "a\nb\nc"),
    ("x a c b d y", "x\n{\na\nb\n|\nc\nd\n}\ny"),
    ("c d a b", "{\na\nb\n|\nc\nd\n}"),
    ("a a b", "{\na\na\n|\nb\n}"),
    ("a b a", "{\na\na\n|\nb\n}"),
  ])
  func `what is expected differs in nothing`(recorded: String, expected: String) {
    #expect(timeline(recorded).difference(from: expected) == nil)
  }

  @Test(arguments: [
    ("", "a"),
    ("a", ""),
    ("a b", "a"),
    ("a", "a\nb"),
    ("b a", "a\nb"),
    ("b a c d", "{\na\nb\n|\nc\nd\n}"),
    ("a c d", "{\na\nb\n|\nc\nd\n}"),
    ("a b b c", "{\na\nb\n|\nc\n}"),
    ("a b", "{\na\n|\nc\n}\nb"),
  ])
  func `what is not expected differs`(recorded: String, expected: String) {
    #expect(timeline(recorded).difference(from: expected) != nil)
  }

  @Test func `a difference shows what is around it`() {
    #expect(
      timeline("a b c d x e f g").difference(from: "a\nb\nc\nd\ny\nz") == """
        the timelines differ at recorded line 5:
            b
            c
            d
          - y
          + x
          + e
          + f
        expected (-) 2 more, recorded (+) 4 more
        """)
  }

  @Test func `a difference in a group shows all that could have come`() {
    #expect(
      timeline("a").difference(from: "{\na\nb\n|\nc\n}") == """
        the timelines differ at recorded line 2:
            a
          - b
          or c
          + (nothing more)
        expected (-) 2 more, recorded (+) 0 more
        """)
  }

  @Test func `a text that cannot be read is the difference`() {
    #expect(
      timeline("a").difference(from: "}")
        == "the expected timeline cannot be read: line 1: expected a line of the timeline, found } "
        + "outside a group")
  }

  @Test func `a recorded timeline can be expected again`() throws {
    let first = timeline("a b c")
    #expect(first.difference(from: ExpectedTimeline(first)) == nil)
    #expect(try ExpectedTimeline(first.description) == ExpectedTimeline(first))
    #expect(first.difference(from: ExpectedTimeline(timeline("a c"))) != nil)
  }

  @Test func `a line holds no line break`() {
    #expect(Timeline(lines: ["a\nb", "c"]).lines == ["a", "b", "c"])
  }

  @Test func `the lines of one session are those of its scenes and about itself`() {
    let all = Timeline(
      lines: ["app.x", "S1#1.a", "S11#1.b", "S1.log(c)", "S1#2.d", "app.y(S1)"])
    #expect(all.lines(of: SessionIdentifier.number(1)).lines == ["S1#1.a", "S1.log(c)", "S1#2.d"])
  }
}
