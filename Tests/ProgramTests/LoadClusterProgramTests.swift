// SPDX-License-Identifier: Apache-2.0

#if Links && Cluster
  import Foundation
  import Testing

  /// `proscenium load --cluster`, at a small size, and how it is found.
  @Suite(.timeLimit(.minutes(10))) struct LoadClusterProgramTests {
    private static let small = [
      "load", "--cluster", "2", "--sessions", "400", "--connected", "40", "--users", "4", "--rate",
      "200", "--duration", "3", "--lease", "2",
    ]

    @Test func `a node is drained under load, and nothing is lost`() async throws {
      let folder = try TemporaryFolder()
      let run = try await ProgramRun(
        Self.small + [
          "--drain", "--csv", folder.path + "/cluster.csv", "--report",
          folder.path + "/cluster.html",
        ])
      #expect(run.lastLine == "held", "\(run.output)\(run.errors)")
      #expect(run.status == 0)
      #expect(run.output.contains("drained"))
      let table = CSVTable(try folder.text("cluster.csv"))
      let sent = try #require(table.value(of: "events_sent").flatMap { Int($0) })
      #expect(sent >= 500)
      #expect(table.value(of: "events_delivered") == "\(sent)")
      #expect(try #require(table.value(of: "messages_durable").flatMap { Int($0) }) > 10)
      #expect(table.value(of: "violations") == "0")
      let page = try folder.text("cluster.html")
      #expect(page.contains("Slices of each node") && page.contains("node1"))
    }

    @Test func `a node is killed under load, and what was durable is there`() async throws {
      let run = try await ProgramRun(Self.small + ["--kill-nodes", "1", "--quiet"])
      #expect(run.output == "held\n", "\(run.output)\(run.errors)")
      #expect(run.status == 0)
    }

    @Test func `flags that cannot be used are one line`() async throws {
      let run = try await ProgramRun(["load", "--cluster=1"])
      #expect(run.status == 2)
      #expect(run.errors.contains("expected --cluster from 2 to 16, got 1."))
      let help = try await ProgramRun(["load", "--cluster", "2", "--help"])
      #expect(help.status == 0 && help.output.contains("EXAMPLES"))
    }
  }
#endif
