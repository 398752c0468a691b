// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumLoad
import Testing

@Suite struct ReplayStateTests {
  /// A state that has seen the tabs, one a line, from line 1 on.
  private func state(_ tabs: [String], bytes: Int64 = 10, capacity: Int = 14) -> ReplayState {
    var state = ReplayState()
    for (index, tab) in tabs.enumerated() {
      state.note(tab: tab, bytes: bytes, line: index + 1, log: 7, capacity: capacity)
    }
    return state
  }

  @Test func `a state counts and keeps its last different tabs`() {
    let state = state(["a", "b", "", "a", "c", "c", "d"], capacity: 3)
    #expect(state.requests == 7)
    #expect(state.bytes == 70)
    #expect(state.tabs == ["a", "c", "d"])
  }

  @Test(
    arguments: [
      [], [""], ["", "a"], ["a", "b/c", "x~1"], (1...40).map { "\($0)" },
    ])
  func `a text gives back its state`(_ tabs: [String]) throws {
    let state = state(tabs, bytes: 999_999_999_999)
    #expect(try #require(ReplayState(state.description)) == state)
  }

  @Test func `the text is short and plain`() {
    #expect(
      state(["index.html", ""], bytes: 21).description
        == "2 42 7717980363c8e066 0000000000000007 1,2 /index.html /")
    #expect(ReplayState().description == "0 0 cbf29ce484222325 cbf29ce484222325 -")
  }

  private static let digests = "0123456789abcdef 0123456789abcdef"

  @Test(
    arguments: [
      "", "1", "1 2", "1 2 \(digests)", "x 2 \(digests) 1", "1 x \(digests) 1",
      "1 2 \(digests) 1 a", "-1 2 \(digests) 1", "1 2 \(digests) 1 ", "01 2 \(digests) 1",
      "+1 2 \(digests) 1", "1 2 \(digests) 1  /a", " 1 2 \(digests) 1",
      "99999999999999999999 1 \(digests) 1", "1 2 0123 \(digests) 1", "1 2 \(digests) 1,x",
      "1 2 \(digests) 1,,2", "1 2 \(digests) -1x", "1 2 \(digests.uppercased()) 1",
      "1 2 \(digests) 1" + String(repeating: " /a", count: 15),
      "1 2 \(digests) 1" + String(repeating: ",1", count: 16),
    ])
  func `another text is no state`(_ text: String) {
    #expect(ReplayState(text) == nil)
  }

  @Test func `sums overflow without a trap`() {
    #expect(state(["", ""], bytes: .max, capacity: 1).requests == 2)
  }

  @Test func `summaries differ where states do`() {
    let one = state(["ab", "c"]).summary
    #expect(one == state(["ab", "c"]).summary)
    for other in [["c"], ["a", "bc"], ["c", "ab"], ["ab", "c", ""], ["ab", "c", "c"]] {
      #expect(one != state(other).summary)
    }
    #expect(one != state(["ab", "c"], bytes: 9).summary)
    var late = ReplayState()
    late.note(tab: "ab", bytes: 10, line: 1, capacity: 14)
    late.note(tab: "c", bytes: 10, line: 3, capacity: 14)
    #expect(one != late.summary)
  }
}
