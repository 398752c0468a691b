// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import ProsceniumLocalPostgres

  /// Each fault once, on processes and a server of their own.
  struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "faults", abstract: "Lets each fault happen once, and looks what comes of it.",
      discussion: """
        The database is stopped, a node is cut off from it both ways and one way, connections \
        break in the midst of a message, a process is stopped within a save, a session ends each \
        process that serves it, and eight nodes idle. Each has a cluster of its own. Numbers in \
        parentheses are what is to be reached on a quiet machine; ten times that is a failure.

        A link can be taken down by root alone; without it that step says so, and the one way \
        after another is tried by a proxy.

        EXAMPLES
          cluster-trial faults
          cluster-trial faults --only stopped
        """)

    @Option(help: "The lease in seconds.")
    var lease = 1.0

    @Option(help: "A text that is in the name of the faults that are tried.")
    var only = ""

    func validate() throws {
      guard (1...60).contains(lease) else {
        throw ValidationError("expected a lease of 1 to 60 s")
      }
      guard faults.contains(where: { $0.name.contains(only) }) else {
        let names = faults.map { "  " + $0.name }.joined(separator: "\n")
        throw ValidationError("no fault has \"\(only)\" in its name:\n\(names)")
      }
    }

    private var faults: [any Fault] {
      [
        IdleNodes(), StoppedDatabase(), CutLink(way: .byLink), CutLink(way: .silent),
        CutLink(way: .answersOnly), CutLink(way: .questionsOnly), BrokenConnections(),
        StoppedSave(), PoisonedSession(),
      ]
    }

    func run() async throws {
      let server = try await PostgresServer.start(settings: CutLink.serverSettings)
      var (failed, left): ([String], [String]) = ([], [])
      for (number, fault) in faults.filter({ $0.name.contains(only) }).enumerated() {
        say(fault.name)
        let cluster = try await TrialCluster(on: server, number, lease: lease)
        let outcome = try await fault.run(on: cluster)
        for line in outcome.figures { say("    \(line)") }
        for line in outcome.problems.prefix(10) { say("    problem: \(line)") }
        if let reason = outcome.reason {
          say("    not run: \(reason)")
          left.append(fault.name)
        } else {
          say(outcome.problems.isEmpty ? "    held" : "    violated")
          if !outcome.problems.isEmpty { failed.append(fault.name) }
        }
      }
      try await server.remove()
      if !left.isEmpty { say("not run: \(left.joined(separator: ", "))") }
      say(failed.isEmpty ? "held" : "violated: \(failed.joined(separator: ", "))")
      if !failed.isEmpty { throw ExitCode(1) }
    }
  }
#endif
