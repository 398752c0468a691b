// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumDashboard

@Suite struct CardTableTests {
  /// Sessions in memory, and how many of them a walk has looked at.
  private final class World {
    var states: [SessionIdentifier: CardState] = [:]
    var walked = 0

    init(_ counts: [CardState: Int]) {
      var number: UInt64 = 0
      for state in CardState.allCases {
        for _ in 0..<(counts[state] ?? 0) {
          number += 1
          states[session(number)] = state
        }
      }
    }

    func session(_ number: UInt64) -> SessionIdentifier { SessionIdentifier(high: 0, low: number) }

    var census: SceneCensus {
      var census = SceneCensus()
      for state in states.values {
        switch state {
        case .active: census.active += 1
        case .inactive: census.inactive += 1
        case .background: census.background += 1
        case .disconnected: census.disconnected += 1
        }
      }
      return census
    }

    func update(_ table: inout CardTable, recent: [UInt64] = []) {
      let sorted = states.sorted { $0.key < $1.key }
      table.update(
        census, recent: recent.map(session),
        CardTable.Questions(
          state: { self.states[$0] },
          walk: { limit, visit in
            for (session, state) in sorted.prefix(limit) {
              self.walked += 1
              if !visit(session, state) { return }
            }
          }))
    }
  }

  @Test(arguments: [
    ([0, 0, 0, 0], [0, 0, 0, 0]), ([1, 1, 1, 1], [1, 1, 1, 1]),
    ([100, 100, 100, 100], [3, 3, 3, 3]),
    ([0, 0, 100, 0], [0, 0, 12, 0]), ([1, 0, 100, 100], [1, 0, 5, 6]),
  ])
  func `places that one state does not need go to the others`(_ counts: [Int], _ places: [Int]) {
    #expect(CardTable.places(12, among: counts) == places)
  }

  @Test func `there are no more cards than may be, and an update looks at few sessions`() {
    let world = World([.background: 5_000, .disconnected: 5_000])
    var table = CardTable(limit: 60)
    world.update(&table)
    #expect(table.shown.map(\.count) == [0, 0, 30, 0])
    #expect(world.walked == CardTable.walkLength)
  }

  @Test func `a card stays in its place while its session stays in its state`() {
    let world = World([.active: 2, .background: 3])
    var table = CardTable(limit: 4)
    world.update(&table, recent: [5])
    #expect(table.shown[2] == [5, 3].map(world.session))
    world.update(&table, recent: [4, 3])
    #expect(table.shown[2] == [5, 3].map(world.session))
  }

  @Test func `a session that changes its state changes its heading, one that ends leaves`() {
    let world = World([.active: 2, .background: 3])
    var table = CardTable(limit: 20)
    world.update(&table)
    #expect(table.shown == [[1, 2], [], [3, 4, 5], []].map { $0.map(world.session) })
    world.states[world.session(1)] = .disconnected
    world.states[world.session(4)] = nil
    world.update(&table)
    #expect(table.shown == [[2], [], [3, 5], [1]].map { $0.map(world.session) })
  }

  @Test func `a session that changes its state is not lost to a page that shows it`() {
    let world = World([.background: 50, .disconnected: 50])
    var table = CardTable(limit: 4)
    world.update(&table)
    #expect(table.shown == [[], [], [1, 2], [51, 52]].map { $0.map(world.session) })
    world.states[world.session(1)] = .disconnected
    world.update(&table)
    #expect(table.shown == [[], [], [2, 3], [51, 1]].map { $0.map(world.session) })
  }

  @Test func `sessions of which something was heard come before others`() {
    let world = World([.background: 100])
    var table = CardTable(limit: 4)
    world.update(&table, recent: [77, 33, 77, 500])
    #expect(table.shown[2] == [77, 33, 1, 2].map(world.session))
  }
}
