// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

@testable import ProsceniumLoad

@Suite struct RoutingWorkloadTests {
  @Test(arguments: RoutingMix.allCases, [1, 10, 250])
  func `a scan finds the expected session of every lookup`(mix: RoutingMix, sessions: Int) throws {
    let workload = try RoutingWorkload(mix, sessions: sessions, lookups: 300, seed: 7)
    #expect(workload.sessions == sessions)
    #expect(workload.lookups.count >= 300)
    #expect(Set(workload.lookups).count == sessions)
    for index in workload.lookups.indices {
      let choice = NaiveScan.choose(workload.lookups[index], workload)
      #expect(workload.isRight(choice, index), "\(workload.lookups[index])")
    }
  }

  @Test func `only sessions under one prefix share identifiers`() throws {
    let workload = try RoutingWorkload(.mixed, sessions: 200, lookups: 1, seed: 3)
    for lookup in workload.lookups {
      let matching = workload.conditions.count { $0.prefers.evaluate(lookup) }
      #expect(matching == 1, "\(lookup)")
    }
    #expect(Set(workload.expected).count == 200)
  }

  @Test func `at most a thousand prefixes`() throws {
    let workload = try RoutingWorkload(.exactAndPrefix, sessions: 40_000, lookups: 1, seed: 3)
    let prefixes = workload.conditions.indices.filter {
      RoutingMix.exactAndPrefix.pattern(ofSession: $0) == .prefix
    }.map { workload.conditions[$0].prefers }
    #expect(prefixes.count == 2_000)
    #expect(Set(prefixes).count == 1_000)
    #expect(Set(workload.expected).count == 39_000)
  }

  @Test(
    arguments: [
      (RoutingMix.exact, [1_000, 0, 0, 0]), (.exactAndPrefix, [950, 50, 0, 0]),
      (.mixed, [700, 200, 50, 50]),
    ])
  func `the shares of a mix`(mix: RoutingMix, shares: [Int]) {
    let patterns = (0..<1_000).map { mix.pattern(ofSession: $0) }
    #expect(RoutingPattern.allCases.map { kind in patterns.count { $0 == kind } } == shares)
  }

  @Test func `one seed gives one workload`() throws {
    let first = try RoutingWorkload(.mixed, sessions: 50, lookups: 100, seed: 1)
    let same = try RoutingWorkload(.mixed, sessions: 50, lookups: 100, seed: 1)
    let other = try RoutingWorkload(.mixed, sessions: 50, lookups: 100, seed: 2)
    #expect(first.lookups == same.lookups)
    #expect(first.expected == same.expected)
    #expect(first.ranks == same.ranks)
    #expect(first.lookups != other.lookups)
  }

  @Test func `keys are distinct and exact identifiers have 45 bytes`() {
    let keys = RoutingKeys(seed: 9)
    let texts = (0..<20_000).map { keys[$0] } + (0..<20_000).map { keys[1 << 40 + $0] }
    #expect(Set(texts).count == 40_000)
    #expect(texts.allSatisfy { $0.utf8.count == 11 })
    #expect(RoutingPattern.exact.identifier(keys[0], "").utf8.count == 45)
  }
}
