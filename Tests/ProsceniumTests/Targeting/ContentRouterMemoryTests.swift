// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@testable import Proscenium

/// What the router keeps of a session's conditions.
@Suite struct ContentRouterMemoryTests {
  private static let handle = SessionHandle(rawValue: 7)

  private static func table() -> RoutingTable {
    RoutingTable(rules: RoutingRules(), shardBits: 0) {
      SessionIdentifier(high: 0, low: UInt64($0.rawValue))
    }
  }

  private static func choice(_ table: inout RoutingTable) -> RoutingChoice {
    table.choose("a", role: 0, source: nil)
  }

  @Test(arguments: ["TRUEPREDICATE", "SELF == 'a'", "SELF IN {'a', 'b'}", "SELF != 'b'"])
  func `a predicate that stays keeps its place when conditions are set again`(
    _ format: String
  ) throws {
    var table = Self.table()
    let rank = SessionRank(.background, lastActivated: 1)
    let predicate = try ContentPredicate(format: format)
    let both = SceneActivationConditions(can: predicate, prefers: predicate)
    table.insert(Self.handle, role: 0, rank, both)
    let before = table.memberships[Self.handle]
    table.setConditions(Self.handle, both)
    #expect(table.memberships[Self.handle]?.can == before?.can)
    #expect(table.memberships[Self.handle]?.prefers == before?.prefers)
    #expect(Self.choice(&table) == RoutingChoice(.prefers, Self.handle))
    // Now only one of the two stays.
    table.setConditions(Self.handle, SceneActivationConditions(can: .false, prefers: predicate))
    #expect(table.memberships[Self.handle]?.can == .nowhere)
    #expect(table.memberships[Self.handle]?.prefers == before?.prefers)
    #expect(Self.choice(&table) == RoutingChoice(.prefers, Self.handle))
    table.setConditions(Self.handle, SceneActivationConditions(can: predicate))
    #expect(Self.choice(&table) == RoutingChoice(.can, Self.handle))
    table.remove(Self.handle)
    #expect(table.memberships.isEmpty)
    #expect(Self.choice(&table) == RoutingChoice(.new, nil))
  }

  @Test func `terms and predicates go with the last session that has them`() throws {
    var table = Self.table()
    let formats = ["SELF == 'a'", "SELF BEGINSWITH 'ab' AND SELF != 'abc'", "SELF != 'b'"]
    weak var term: Term<TermContent>?
    weak var predicate: SharedPredicate?
    for (number, format) in formats.enumerated() {
      table.insert(
        SessionHandle(rawValue: UInt32(number)), role: 0,
        SessionRank(.active, lastActivated: 1),
        SceneActivationConditions(prefers: try ContentPredicate(format: format)))
    }
    if case .term(let found, _)? = table.memberships[SessionHandle(rawValue: 0)]?.prefers {
      term = found
    }
    if case .predicate(let found, _)? = table.memberships[SessionHandle(rawValue: 1)]?.prefers {
      predicate = found
    }
    #expect(term != nil && predicate != nil)
    #expect(table.residualCount == 1)
    for number in formats.indices { table.remove(SessionHandle(rawValue: UInt32(number))) }
    #expect(term == nil && predicate == nil)
    #expect(table.residualCount == 0)
  }
}
