// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ArgumentParser
  import ProsceniumLoadNodes
  import Testing

  @testable import ProsceniumLoadLive

  /// What can be asked for, and in which order it happens.
  @Suite struct LivePlanTests {
    @Test func `one host is killed twice, or as often as is said`() throws {
      #expect(try LivePlan.parse([]).events == [.kill, .kill])
      #expect(try LivePlan.parse(["--kills", "1"]).events == [.kill])
      #expect(try LivePlan.parse(["--kills", "0"]).events.isEmpty)
      #expect(LoadHosts.names(nil) == ["host"])
    }

    @Test(arguments: [
      ["--drain"], ["--deploy"], ["--kill-nodes", "1"], ["--stop-nodes", "1"],
      ["--database", "postgres://a/b"],
    ])
    func `what is for nodes is refused without a cluster`(_ arguments: [String]) {
      #expect(refusal(of: arguments).contains("need --cluster"))
    }

    #if Links
      @Test func `nodes are killed, stopped, drained and replaced, in this order`() throws {
        let plan = try LivePlan.parse([
          "--cluster", "3", "--deploy", "--drain", "--stop-nodes", "1", "--kill-nodes", "2",
        ])
        #expect(plan.events == [.kill, .kill, .stop, .drain, .deploy])
        #expect(LoadHosts.names(plan.cluster) == ["node1", "node2", "node3"])
        #expect(try LivePlan.parse(["--cluster", "2"]).events.isEmpty)
      }

      @Test(arguments: [
        (["--cluster", "1"], "2 to 16 nodes"), (["--cluster", "17"], "2 to 16 nodes"),
        (["--cluster", "2", "--kill-nodes=-1"], "from 0"),
        (["--cluster", "2", "--lease", "0.5"], "a lease of 1 to 60 s"),
        (["--cluster", "2", "--kills", "1"], "--kill-nodes"),
      ])
      func `a cluster that cannot be is refused`(_ arguments: [String], _ words: String) {
        #expect(refusal(of: arguments).contains(words))
      }
    #else
      @Test func `without links it is said how the program is built`() {
        #expect(refusal(of: ["--cluster", "2"]).contains("--traits Complete,Live,Links"))
      }
    #endif

    /// Why arguments are refused; empty if they are not.
    private func refusal(of arguments: [String]) -> String {
      do {
        _ = try LivePlan.parse(arguments)
        return ""
      } catch {
        return LivePlan.message(for: error)
      }
    }
  }
#endif
