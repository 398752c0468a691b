// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad
import Testing

@Suite struct ReplayStateTests {
  @Test func `a state counts and keeps its last different tabs`() {
    var state = ReplayState()
    for tab in ["a", "b", "", "a", "c", "c", "d"] { state.note(tab: tab, bytes: 10, capacity: 3) }
    #expect(state.requests == 7)
    #expect(state.bytes == 70)
    #expect(state.tabs == ["a", "c", "d"])
  }

  @Test(arguments: [[], [""], ["", "a"], ["a", "b/c", "x~1"]])
  func `a text gives back its state`(_ tabs: [String]) throws {
    var state = ReplayState()
    for tab in tabs { state.note(tab: tab, bytes: 999_999_999_999, capacity: 14) }
    #expect(try #require(ReplayState(state.description)) == state)
  }

  @Test func `the text is short and plain`() {
    var state = ReplayState()
    state.note(tab: "index.html", bytes: 40, capacity: 8)
    state.note(tab: "", bytes: 2, capacity: 8)
    #expect(state.description == "2 42 /index.html /")
  }

  @Test(
    arguments: [
      "", "1", "x 2", "1 x", "1 2 a", "-1 2", "1 2 ", "01 2", "+1 2", "1 2  /a", " 1 2",
      "99999999999999999999 1", "1 2" + String(repeating: " /a", count: 15),
    ])
  func `another text is no state`(_ text: String) {
    #expect(ReplayState(text) == nil)
  }

  @Test func `sums overflow without a trap`() {
    var state = ReplayState()
    state.note(tab: "", bytes: .max, capacity: 1)
    state.note(tab: "", bytes: .max, capacity: 1)
    #expect(state.requests == 2)
  }

  @Test func `summaries differ where states do`() {
    let summary = { (requests: Int, bytes: Int64, tabs: [String]) in
      ReplayStateSummary(requests: requests, bytes: bytes, tabs: tabs)
    }
    let one = summary(1, 2, ["ab", "c"])
    #expect(one == summary(1, 2, ["ab", "c"]))
    #expect(one != summary(2, 2, ["ab", "c"]))
    #expect(one != summary(1, 1, ["ab", "c"]))
    #expect(one != summary(1, 2, ["a", "bc"]))
    #expect(one != summary(1, 2, ["c", "ab"]))
    #expect(one != summary(1, 2, ["ab", "c", ""]))
  }
}
