// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Foundation
  import ProsceniumLoad
  import ProsceniumLoadNodes
  import Testing

  @testable import ProsceniumLoadCluster

  /// Whether the promises of a cluster held, and what is written of a run.
  @Suite struct ClusterSummaryTests {
    private func summary(
      _ flags: String..., change: (inout ClusterSummary) -> Void = { _ in }
    ) throws -> ClusterSummary {
      var summary = ClusterSummary(try ClusterPlan.parse(flags))
      change(&summary)
      return summary
    }

    @Test func `a run in which everything came holds`() throws {
      #expect(try summary().verdict == "held")
      #expect(try summary { $0.isInterrupted = true }.verdict == "held, stopped early")
    }

    private static let wrongs: [(sentence: String, change: @Sendable (inout EventTotals) -> Void)] =
      [
        ("3 events were not delivered", { $0.missing = 3 }),
        ("3 events were lost, and no owner had died", { $0.lost = 3 }),
        ("3 events were delivered twice", { $0.double = 3 }),
        ("3 events were delivered out of their order", { $0.late = 3 }),
        ("3 sessions did not answer", { $0.silent = 3 }),
        ("3 durable messages were gone", { $0.durableMissing = 3 }),
        ("3 messages of users were not answered, and no owner had died", { $0.unknown = 3 }),
      ]

    @Test(arguments: wrongs.indices)
    func `each thing that must not be is a violation`(number: Int) throws {
      let wrong = Self.wrongs[number]
      let found = try summary { summary in
        wrong.change(&summary.totals)
        summary.afterLaunch = summary.totals
      }
      #expect(found.verdict == "violated: " + wrong.sentence)
    }

    @Test func `where owners die, what they had taken is gone, and what was durable is not`()
      throws
    {
      let killed = try summary("--kill-nodes", "1") { summary in
        summary.totals.missing = 5
        summary.totals.lost = 5
        summary.totals.unknown = 5
        summary.afterLaunch = summary.totals
      }
      #expect(killed.verdict == "held")
      let gone = try summary("--stop-nodes", "1") { $0.totals.durableMissing = 1 }
      #expect(gone.verdict == "violated: 1 durable messages were gone")
    }

    @Test func `what is gone after the next launch is told once`() throws {
      let found = try summary { summary in
        summary.totals.double = 1
        summary.afterLaunch.double = 1
        summary.afterLaunch.missing = 2
      }
      #expect(
        found.verdict == "violated: 1 events were delivered twice;"
          + " 2 events were not delivered after the next launch")
    }

    @Test func `a deploy that moves slices more often than it has to is a violation`() throws {
      func deployed(_ moves: Double) throws -> String {
        try summary("--deploy") { summary in
          summary.strikes = [.init(.deploy, of: "node1", at: 5)]
          summary.moves = SliceMoves(mean: moves, highest: 3)
        }.verdict
      }
      #expect(try deployed(1.2) == "held")
      #expect(
        try deployed(1.3) == "violated: slices moved 1.30 times in the deploy, 1.2 are due")
    }

    @Test(
      arguments: [
        (["--cluster", "1"], "expected --cluster from 2 to 16, got 1."),
        (["--rate", "0"], "expected --rate from 1.0 to 1000000.0, got 0.0."),
        (
          ["--durability", "sometimes"],
          "expected --durability disconnect, event, or a time such as 50ms, got 'sometimes'."
        ),
        (
          ["--sessions", "1000", "--connected", "600"],
          "expected --connected and --users of half of --sessions at most, 500, got 632."
        ),
      ])
    func `flags that cannot be used are refused`(flags: [String], message: String) throws {
      let error = #expect(throws: (any Error).self) { try ClusterPlan.parse(flags) }
      #expect(ClusterPlan.message(for: try #require(error)).contains(message))
    }

    @Test func `nodes are struck in the order of the help`() throws {
      let plan = try ClusterPlan.parse([
        "--kill-nodes", "2", "--stop-nodes", "1", "--deploy", "--drain",
      ])
      #expect(plan.nodes.strikes == [.kill, .kill, .stop, .drain, .deploy])
    }

    @Test func `the report draws the slices of each node`() throws {
      let found = try summary { summary in
        for second in 1...3 {
          var sample = ClusterSummary.Sample()
          sample.time = Double(second)
          sample.seconds = 1
          sample.slices = ["node1": 341 * second, "node2": 1_024 - 341 * second]
          summary.samples.append(sample)
        }
      }
      let page = Report(run: "run", found.rows).html
      #expect(page.contains("Slices of each node"))
      #expect(page.contains("node1") && page.contains("node2"))
    }
  }

  /// What the logs of nodes say of the slices that they gave away.
  @Suite struct GiftsTests {
    @Test func `the blackout of a gift counts for each of its sessions`() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(
        "proscenium-gifts-\(ProcessInfo.processInfo.processIdentifier).log")
      defer { try? FileManager.default.removeItem(at: file) }
      try """
      notice a: node=2 served=true sessions=99 slices=8 time=0.05 seconds [P] slices were given \
      to another node
      notice a: node=2 served=true sessions=1 slices=4 time=0.5 seconds [P] slices were given \
      to another node
      warning a: slices could not be given away

      """.write(to: file, atomically: true, encoding: .utf8)
      let gifts = Gifts(logs: [file.path, file.path + ".missing"])
      #expect(gifts.count == 2 && gifts.slices == 12 && gifts.failures.count == 1)
      #expect(gifts.blackout(0.5) == 0.05 && gifts.blackout(0.99) == 0.05)
      #expect(gifts.blackout(1) == 0.5)
      #expect(Gifts(logs: []).blackout(0.5) == nil)
    }
  }
#endif
