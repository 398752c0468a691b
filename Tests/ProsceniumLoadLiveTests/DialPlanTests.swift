// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Testing

  @testable import ProsceniumLoadLive

  /// Which host a client dials next.
  @Suite struct DialPlanTests {
    @Test func `hosts that do not answer are dialled in turn`() {
      var plan = DialPlan(host: 1)
      var dialled: [Int] = []
      for _ in 0..<4 {
        plan.fail(of: 3)
        dialled.append(plan.host)
      }
      #expect(dialled == [2, 0, 1, 2])
      #expect(plan.failures == 4)
    }

    @Test func `a client goes where it is told, and at once`() {
      var plan = DialPlan(host: 0)
      for _ in 0..<4 { plan.fail(of: 3) }
      plan.follow(to: 2)
      // The line on which it was told ends.
      plan.fail(of: 3)
      #expect(plan.host == 2)
      #expect(plan.failures == 1)
    }

    @Test func `a host that is dead is a failure each time that it is told`() {
      var plan = DialPlan(host: 0)
      plan.succeed()
      plan.fail(of: 3)
      #expect(plan.host == 1)
      for round in 1...3 {
        plan.follow(to: 0)
        plan.fail(of: 3)
        #expect(plan.host == 0)
        plan.fail(of: 3)
        #expect(plan.host == 1)
        #expect(plan.failures == 1 + 2 * round)
      }
      plan.follow(to: 2)
      #expect(plan.failures == 0)
    }

    @Test func `the only host is dialled again and again`() {
      var plan = DialPlan(host: 0)
      for _ in 0..<7 { plan.fail(of: 1) }
      #expect(plan.host == 0)
    }

    @Test func `the path of a line names its host`() {
      #expect(HostPlace.name(in: HostPlace.line(of: "node7")) == "node7")
      for path in ["", "/line", "node7/line", "/node7/lines", "/a/b/line"] {
        #expect(HostPlace.name(in: path) == nil)
      }
    }
  }
#endif
