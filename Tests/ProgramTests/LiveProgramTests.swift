// SPDX-License-Identifier: Apache-2.0

#if Live
  import Foundation
  import Testing

  /// `proscenium load live`, at a small size, and how it is found.
  @Suite(.timeLimit(.minutes(10))) struct LiveProgramTests {
    @Test func `tabs lose nothing to broken lines and a kill`() async throws {
      let folder = try TemporaryFolder()
      let run = try await ProgramRun([
        "load", "live", "--clients", "40", "--rate", "200", "--breaks", "20", "--hides", "10",
        "--kills", "1", "--seconds", "4", "--csv", folder.path + "/live.csv", "--report",
        folder.path + "/live.html",
      ])
      #expect(run.lastLine == "held", "\(run.output)\(run.errors)")
      #expect(run.status == 0)
      let table = CSVTable(try folder.text("live.csv"))
      let sent = try #require(table.value(of: "events_sent").flatMap { Int($0) })
      #expect(sent >= 700)
      #expect(table.value(of: "events_delivered") == "\(sent)")
      #expect(try #require(table.value(of: "lines_resumed").flatMap { Int($0) }) > 10)
      #expect(table.value(of: "kills") == "1")
      #expect(table.value(of: "violations") == "0")
      #expect(try folder.text("live.html").contains("Latency by percentile"))
    }

    @Test func `a host that loses input is found out`() async throws {
      let run = try await ProgramRun([
        "load", "live", "--clients", "20", "--rate", "100", "--kills", "1", "--seconds", "3",
        "--durability", "onDisconnect",
      ])
      #expect(run.status == 1)
      #expect(run.lastLine?.hasPrefix("violated: ") == true, "\(run.output)\(run.errors)")
    }

    #if Links
      @Test func `tabs go with their sessions when a node is drained`() async throws {
        let folder = try TemporaryFolder()
        let run = try await ProgramRun([
          "load", "live", "--cluster", "2", "--clients", "40", "--rate", "200", "--breaks", "10",
          "--hides", "10", "--drain", "--seconds", "3", "--csv", folder.path + "/live.csv",
          "--report", folder.path + "/live.html",
        ])
        #expect(run.lastLine == "held", "\(run.output)\(run.errors)")
        #expect(run.status == 0)
        let table = CSVTable(try folder.text("live.csv"))
        let sent = try #require(table.value(of: "events_sent"))
        #expect(table.value(of: "events_delivered") == sent)
        // Half of the clients are on the node that is drained.
        #expect(try #require(table.value(of: "lines_moved").flatMap { Int($0) }) > 5)
        #expect(table.value(of: "resets") == nil)
        let page = try folder.text("live.html")
        for node in ["node1", "node2"] {
          #expect(run.output.contains("\n\(node) ") && page.contains("node=\(node)"))
        }
        #expect(run.output.contains("drain of node1"))
        #expect(page.contains("Clients of each node"))
      }
    #endif

    @Test func `what is for nodes is refused without them`() async throws {
      let run = try await ProgramRun(["load", "live", "--drain"])
      #expect(run.status == 2)
      #expect(run.errorLines == 1)
      #expect(run.errors.contains("need --cluster"))
    }

    @Test func `more clients than files are one line`() async throws {
      let run = try await ProgramRun(
        shell: "ulimit -n 256; $program load live --clients 1000 --seconds 1")
      #expect(run.status == 2)
      #expect(
        run.errors == "proscenium: 1000 clients need 1200 open files, the system allows 256: raise "
          + "it with 'ulimit -n', or ask for fewer clients.\n")
    }

    @Test func `a program next to this one is a command of it`() async throws {
      let folder = try TemporaryFolder()
      let run = try await ProgramRun(
        shell: """
          cp "$program" '\(folder.path)/proscenium' && cd '\(folder.path)'
          printf '#!/bin/sh\\necho "$@"\\n' > proscenium-hello-you && chmod +x proscenium-hello-you
          cp proscenium-hello-you proscenium-load
          ./proscenium hello you --and me
          ./proscenium load --list-scenarios | head -c 6
          ./proscenium load live --seconds 3
          echo $?
          """)
      #expect(run.output == "--and me\nbrowse2\n")
      #expect(
        run.errors == "proscenium: expected the program proscenium-load-live next to this one; it "
          + "is built by 'swift build --traits Complete,Live --product proscenium-load-live'.\n")
    }
  }
#endif
