// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ArgumentParser
  import NIOCore
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import Testing

  @testable import ProsceniumLoadLive

  /// What a run came to, and why it is not held.
  @Suite struct LiveSummaryTests {
    @Test func `a run without a fault is held`() throws {
      #expect(try LiveSummary(.parse([])).verdict == "held")
    }

    @Test func `a reset that nothing explains is told by its reason`() throws {
      var summary = LiveSummary(try .parse([]))
      var tally = ClientTally()
      tally.resets = ["epoch": 3, "overflow": 1]
      tally.undueResets = ["overflow": 1]
      summary.note(tally)
      #expect(summary.verdict == "violated: 1 resets 'overflow' that no kill explains")
    }

    @Test func `resets are asked for while everything is shown again`() throws {
      var summary = LiveSummary(try .parse([]))
      var tally = ClientTally()
      tally.undueResets = ["epoch": 1]
      summary.noteVerification(tally)
      #expect(summary.reasons.isEmpty)
    }

    @Test func `slices that move more often than a deploy has to move them are told`() throws {
      var summary = LiveSummary(try .parse([]))
      // The second one has moved once before the deploy.
      let before = [1, 2, 1]
      summary.deploy = (1, SliceMoves(from: before, to: [2, 3, 2]))
      #expect(summary.reasons.isEmpty)
      summary.deploy = (1, SliceMoves(from: before, to: [2, 5, 2]))
      #expect(summary.deploy?.moves.highest == 3)
      #expect(
        summary.verdict == "violated: a slice has moved 1.67 times on average, at most 1.2 are due")
    }

    @Test func `a stop whose clients do not come back is told`() throws {
      var summary = LiveSummary(try .parse([]))
      var outage = LiveSummary.Outage(of: "node1", .stop, begun: 1)
      outage.attachedAfter = 11
      outage.confirmedAfter = 12
      summary.outages = [outage]
      #expect(summary.verdict == "violated: after stop 1 not all were attached in 10.0 s")
    }

    @Test func `what event loops were writing as their node was stopped is due, and no more`()
      throws
    {
      var summary = LiveSummary(try .parse([]))
      var outage = LiveSummary.Outage(of: "node1", .stop, begun: 1)
      (outage.attachedAfter, outage.confirmedAfter) = (1, 1)
      summary.outages = [outage]
      var tally = ClientTally()
      for client in 0..<System.coreCount { tally.noteLate(client, "acknowledged 1") }
      summary.note(tally)
      #expect(summary.verdict == "held")
      tally = ClientTally()
      tally.noteLate(7, "acknowledged 2")
      summary.note(tally)
      #expect(
        summary.verdict.hasPrefix("violated: nodes whose sessions others had taken over spoke to")
      )
    }

    #if Links
      @Test func `each process of a node has its rows`() throws {
        var summary = LiveSummary(try .parse(["--cluster", "2"]))
        var first = NodeLife(name: "node1", build: 1)
        first.clients = 7
        first.end = .killed
        summary.lives = [first, NodeLife(name: "node1", build: 2)]
        let clients = summary.rows.filter { $0.metric == "node_clients" }
        #expect(
          clients.map(\.labels) == [
            ["node": "node1", "process": "1"], ["node": "node1", "process": "2"],
          ])
        #expect(clients.map { "\($0.value)" } == ["7", "0"])
        let times = summary.rows.filter { $0.metric == "node_time" }
        #expect(times.map { $0.labels["end"] } == ["killed", "ended"])
      }
    #endif
  }
#endif
