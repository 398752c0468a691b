// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

@Suite struct StandingTableTests {
  private static func word(_ counter: UInt64) -> StandingWord {
    StandingWord(
      SessionStanding(.inactive, lastActivated: counter), role: 1, canShowEverything: true)
  }

  @Test(arguments: [0, 1, 3, 6, 10])
  func `every session has its word and a place of its own`(_ shardBits: Int) throws {
    var random = SplitMix64(seed: UInt64(shardBits) + 1)
    var retired = RetiredList<UInt>()
    var pages = StandingTable.Pages()
    let table = StandingTable(shardBits: shardBits)
    var words: [SessionHandle: StandingWord] = [:]
    var places: [Int: SessionHandle] = [:]
    for step in UInt64(0)..<500 {
      let shard = Int.random(in: 0..<1 << shardBits, using: &random)
      let slot = Int.random(in: 0..<(step % 10 == 0 ? 20_000 : 200), using: &random)
      let handle = SessionHandle(slot: slot, shard: shard, shardBits: shardBits)
      if words[handle] == nil { #expect(!table[handle].isTaken) }
      let word = Int.random(in: 0..<4, using: &random) == 0 ? .none : Self.word(step)
      let place = table.set(handle, word, &pages, &retired)
      words[handle] = word
      #expect(place == table.place(handle, pages))
      #expect(place < pages.placeCount)
      #expect(table.handle(at: place, pages) == handle)
      #expect(places.updateValue(handle, forKey: place) ?? handle == handle)
    }
    for (handle, word) in words { #expect(table[handle] == word) }
    // Pages are dense: only those that are needed have a number.
    let pageCount = Set(words.keys.map { $0.rawValue >> (6 + UInt32(shardBits)) }).count
    #expect(pages.placeCount <= pageCount << (6 + shardBits))
    retired.free()
  }

  @Test func `a session beyond everything that was set has no word`() {
    let table = StandingTable(shardBits: 2)
    #expect(!table[SessionHandle(rawValue: 0)].isTaken)
    #expect(!table[SessionHandle(rawValue: .max)].isTaken)
  }

  @Test func `a view of a smaller table stays as it was`() {
    var retired = RetiredList<UInt>()
    var pages = StandingTable.Pages()
    let table = StandingTable(shardBits: 0)
    let (near, far) = (SessionHandle(rawValue: 3), SessionHandle(rawValue: 100_000))
    _ = table.set(near, Self.word(1), &pages, &retired)
    let view = table.view
    _ = table.set(far, Self.word(2), &pages, &retired)
    _ = table.set(near, Self.word(3), &pages, &retired)
    #expect(view[near] == Self.word(3))
    #expect(!view[far].isTaken)
    #expect(table[far] == Self.word(2))
    retired.free()
  }
}

@Suite struct StandingWordTests {
  static let ranks: [SessionStanding.Rank] = [.active, .inactive, .background, .archived]
  static let counters: [UInt64] = [0, 1, 1_000, StandingWord.counterLimit]

  @Test(arguments: ranks, counters)
  func `a word keeps what it was made of`(_ rank: SessionStanding.Rank, _ counter: UInt64) {
    for role in [0, 1, 128, 255] as [UInt8] {
      for canShowEverything in [false, true] {
        let standing = SessionStanding(rank, lastActivated: counter)
        let word = StandingWord(standing, role: role, canShowEverything: canShowEverything)
        #expect(word.isTaken)
        #expect(word.standing == standing)
        #expect(word.role == role)
        #expect(word.canShowEverything == canShowEverything)
        let other = StandingWord(standing, role: 7, canShowEverything: !canShowEverything)
        #expect(word.key == other.key)
      }
    }
  }

  @Test func `the larger key stands first`() {
    let standings = Self.ranks.flatMap { rank in
      Self.counters.map { SessionStanding(rank, lastActivated: $0) }
    }
    for left in standings {
      for right in standings {
        let keys = [left, right].map { StandingWord($0, role: 9, canShowEverything: true).key }
        #expect((left < right) == (keys[0] > keys[1]))
      }
    }
  }

  @Test func `a counter over the limit counts as the limit and touches nothing else`() {
    let word = StandingWord(
      SessionStanding(.archived, lastActivated: .max), role: 255, canShowEverything: false)
    #expect(
      word.standing == SessionStanding(.archived, lastActivated: StandingWord.counterLimit))
    #expect(word.role == 255)
    #expect(!word.canShowEverything)
  }
}
