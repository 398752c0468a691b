// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import Testing

  @testable import ProsceniumLoadLive

  /// Which host a client dials next.
  @Suite struct DialPlanTests {
    @Test func `a host that does not answer is left after three attempts, and all come in turn`() {
      var plan = DialPlan(host: 1)
      var dialled: [Int] = []
      for _ in 0..<9 {
        plan.fail(of: 3)
        dialled.append(plan.host)
      }
      #expect(dialled == [1, 1, 2, 2, 2, 0, 0, 0, 1])
      #expect(plan.failures == 9)
    }

    @Test func `a line that is lost is looked for where it was`() {
      var plan = DialPlan(host: 0)
      for _ in 0..<5 {
        plan.fail(of: 2)
        plan.fail(of: 2)
        plan.succeed()
      }
      #expect(plan.host == 0)
      #expect(plan.failures == 0)
    }

    @Test func `a client goes where it is told, and leaves it if that is in vain`() {
      var plan = DialPlan(host: 0)
      plan.follow(to: 2)
      plan.fail(of: 3)
      #expect(plan.host == 2)
      plan.fail(of: 3)
      plan.fail(of: 3)
      #expect(plan.host == 0)
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
