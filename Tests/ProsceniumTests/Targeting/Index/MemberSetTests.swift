// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

@Suite struct MemberSetTests {
  private struct Member {
    let handle: UInt32
    var word: StandingWord
  }

  private static func word(_ counter: UInt64) -> StandingWord {
    StandingWord(
      SessionStanding(.background, lastActivated: counter), role: 3, canShowEverything: false)
  }

  /// The smaller identifier belongs to the larger handle.
  private static func makeSet() -> MemberSet {
    MemberSet { SessionIdentifier(high: 0, low: 9_000 - UInt64($0.rawValue)) }
  }

  @Test func `the best member is the first in the order, whoever comes, moves and goes`() throws {
    for seed in UInt64(1)...6 {
      var random = SplitMix64(seed: seed)
      let set = Self.makeSet()
      var members: [UInt32: Member] = [:]
      for step in 0..<600 {
        let word = Self.word(UInt64.random(in: 0..<8, using: &random))
        let place = members.keys.sorted().randomElement(using: &random)
        switch (Int.random(in: 0..<6, using: &random), place) {
        case (0...2, _), (_, nil):
          let handle = UInt32.random(in: 0..<1_000, using: &random)
          if members.values.contains(where: { $0.handle == handle }) { continue }
          let place = set.insert(handle, word)
          try #require(members[place] == nil)
          members[place] = Member(handle: handle, word: word)
        case (3, let place?):
          set.remove(place)
          members[place] = nil
        case (4, let place?):
          members[place]?.word = word
          set.update(place, members[place]?.handle ?? 0, word)
        case (_, let place?):
          let handle = UInt32.random(in: 1_000..<2_000, using: &random)
          members[place] = Member(handle: handle, word: word)
          set.update(place, handle, word)
        }
        let best = members.values.max { left, right in
          left.word.key != right.word.key
            ? left.word.key < right.word.key
            : left.handle < right.handle
        }
        try #require(set.best == best?.handle ?? Posting.none, "seed \(seed), step \(step)")
        #expect(set.isEmpty == members.isEmpty)
      }
    }
  }

  @Test func `a place that was given back is used again`() {
    let set = Self.makeSet()
    let places = (0..<40).map { set.insert($0, Self.word(1)) }
    #expect(places == Array(0..<40))
    set.remove(7)
    set.remove(20)
    #expect(Set([set.insert(50, Self.word(1)), set.insert(51, Self.word(1))]) == [7, 20])
    #expect(set.insert(52, Self.word(1)) == 40)
    #expect(set.best == 52)
  }
}
