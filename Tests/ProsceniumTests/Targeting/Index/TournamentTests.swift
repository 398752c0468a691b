// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

@Suite struct TournamentTests {
  /// Places with numbers, of which the largest comes first; equal ones stay as they are.
  private struct Numbers: TournamentOrder {
    var numbers: [Int?]

    func isTaken(_ place: Int) -> Bool { numbers.indices.contains(place) && numbers[place] != nil }

    func isBefore(_ place: Int, _ other: Int) -> Bool {
      (numbers[place] ?? -1) > (numbers[other] ?? -1)
    }

    var best: Int? { numbers.compactMap(\.self).max() }
  }

  @Test(arguments: [1, 16, 17, 257, 1_500])
  func `the winner is the first of all places, whatever changes`(_ placeCount: Int) throws {
    for seed in UInt64(1)...3 {
      var random = SplitMix64(seed: seed)
      var tournament = Tournament()
      var order = Numbers(numbers: Array(repeating: nil, count: placeCount))
      #expect(tournament.winner == nil)
      for step in 0..<800 {
        // The winner changes more often than others.
        let place =
          Int.random(in: 0..<3, using: &random) == 0
          ? tournament.winner ?? 0 : Int.random(in: 0..<placeCount, using: &random)
        let old = order.numbers[place]
        let isRemoved = Int.random(in: 0..<3, using: &random) == 0
        let new = isRemoved ? nil : Int.random(in: 0..<100, using: &random)
        order.numbers[place] = new
        let rose = if let new { old.map { $0 <= new } ?? true } else { false }
        tournament.update(place, rose: rose, order)
        let winner = tournament.winner.flatMap { order.numbers[$0] }
        try #require(winner == order.best, "seed \(seed), step \(step)")
      }
    }
  }

  @Test(arguments: [1, 17, 1_500, 70_000])
  func `changes that were only marked count when they are looked at`(_ placeCount: Int) throws {
    var random = SplitMix64(seed: UInt64(placeCount))
    var tournament = Tournament()
    var order = Numbers(numbers: Array(repeating: nil, count: placeCount))
    for round in 0..<60 {
      for _ in 0..<Int.random(in: 0..<40, using: &random) {
        let place = Int.random(in: 0..<placeCount, using: &random)
        let isRemoved = Bool.random(using: &random)
        order.numbers[place] = isRemoved ? nil : Int.random(in: 0..<100, using: &random)
        tournament.touch(place)
      }
      tournament.settle(order)
      let winner = tournament.winner.flatMap { order.numbers[$0] }
      try #require(winner == order.best, "round \(round)")
      // Both ways take turns.
      let place = tournament.winner ?? 0
      order.numbers[place] = Int.random(in: 0..<100, using: &random)
      tournament.update(place, rose: false, order)
      let next = tournament.winner.flatMap { order.numbers[$0] }
      try #require(next == order.best, "round \(round)")
    }
  }

  @Test func `the leader is right whenever it is asked for, however many changes were before`() {
    var leader = LazyLeader()
    var order = Numbers(numbers: [1, 2, 3])
    for place in 0..<3 { leader.change(place, rose: true, order) }
    #expect(leader.leader(order) == 2)
    var value = 10
    for changes in [1, 2, LazyLeader.attentionSpan, LazyLeader.attentionSpan + 1, 500] {
      for step in 0..<changes {
        value += 1
        order.numbers[step % 3] = value
        leader.change(step % 3, rose: true, order)
      }
      #expect(leader.leader(order) == (changes - 1) % 3)
    }
  }

  @Test func `places can be taken in any order of their numbers`() {
    var tournament = Tournament()
    var order = Numbers(numbers: Array(repeating: nil, count: 70_000))
    for (value, place) in [3, 69_999, 0, 4_096, 17, 65_535].enumerated() {
      order.numbers[place] = value
      tournament.update(place, rose: true, order)
      #expect(tournament.winner == place)
    }
    for place in [65_535, 17, 4_096, 0, 69_999] {
      order.numbers[place] = nil
      tournament.update(place, rose: false, order)
      #expect(tournament.winner.flatMap { order.numbers[$0] } == order.best)
    }
    #expect(tournament.winner == 3)
  }
}
