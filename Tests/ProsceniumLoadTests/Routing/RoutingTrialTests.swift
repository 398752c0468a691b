// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLoad

struct RoutingTrialTests {
  @Test(arguments: RoutingMix.allCases)
  func `a router with the sessions of the workload decides rightly`(mix: RoutingMix) throws {
    let trial = RoutingTrial(try RoutingWorkload(mix, sessions: 60, lookups: 100, seed: 1))
    #expect(try trial.countWrong(0..<100) == 0)
    trial.change(0..<60)
    #expect(try trial.countWrong(0..<100) == 0)
  }

  @Test func `a router with other sessions is noticed`() throws {
    let workload = try RoutingWorkload(.mixed, sessions: 40, lookups: 40, seed: 1)
    let other = try RoutingWorkload(.mixed, sessions: 40, lookups: 40, seed: 2)
    let trial = RoutingTrial(workload, router: other.makeRouter())
    #expect(try trial.countWrong(0..<40) == 40)
  }
}
