// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Foundation
  import ProsceniumLocalPostgres

  /// A node is stopped within a save, while it has the lock that a burial needs.
  struct StoppedSave: Fault {
    let name = "a node stopped within a save"

    func run(on cluster: TrialCluster) async throws -> FaultOutcome {
      let nodes = try await cluster.nodes(2, making: 20)
      let number = try await cluster.sql("SELECT node FROM proscenium.node WHERE name = 'node0'")
      let save = try OpenSave(of: number, in: cluster)
      try await cluster.wait(
        until: """
          SELECT count(*) > 0 FROM pg_locks
            WHERE locktype = 'advisory' AND objid = \(number) AND granted AND pid IN (
              SELECT pid FROM pg_stat_activity WHERE application_name = '\(save.line)')
          """)
      save.stop()
      nodes[0].signal(SIGSTOP)
      let line = try await nodes[1].wait(forLog: "a node was buried")
      var outcome = FaultOutcome()
      outcome.note("burial", NodeProcess.value("time", in: line), of: 1, "s")
      _ = try await nodes[1].wait(forLog: "slices were taken up", after: 1)
      save.end()
      nodes[0].signal(SIGCONT)
      for node in nodes.reversed() { await node.leave() }
      outcome.judge(try await cluster.audit())
      return outcome
    }

    /// A connection as a node has it that saves, in the midst of a transaction.
    private final class OpenSave {
      /// The name of the connection.
      let line: String
      private let process = Process()
      private let input = Pipe()

      init(of node: String, in cluster: TrialCluster) throws {
        line = "proscenium \(node) lane 0"
        process.executableURL = URL(fileURLWithPath: cluster.server.programs.path("psql"))
        process.arguments = ["-X", "-q", "-A", "-t", "-w", cluster.address]
        process.environment = ["PGAPPNAME": line]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let statements = "BEGIN; SELECT pg_advisory_xact_lock_shared(7461, \(node));\n"
        try input.fileHandleForWriting.write(contentsOf: Data(statements.utf8))
      }

      /// Stops the client, whose transaction stays open.
      func stop() { kill(process.processIdentifier, SIGSTOP) }

      func end() { kill(process.processIdentifier, SIGKILL) }

      deinit { end() }
    }
  }
#endif
