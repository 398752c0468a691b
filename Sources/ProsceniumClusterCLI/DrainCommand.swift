// SPDX-License-Identifier: Apache-2.0

#if Cluster && Complete
  import ArgumentParser
  import ProsceniumLoad
  import ProsceniumPostgres
  import ProsceniumTerminal

  /// `proscenium cluster drain`: lets a node give its slices away and end.
  struct DrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drain",
      abstract: "Lets a node give all its slices to others, and end in order.",
      discussion: """
        The node's scenes go to the background, are captured and disconnected, eight slices at a \
        time, and nothing that was acknowledged is lost. The slices go to nodes of the newest \
        build first. When the node has none left, its application ends. A node without others \
        goes on until one joins.

        The command waits until the node has ended. Ctrl-C ends the command alone: the node goes \
        on draining. In a rolling deploy, start a node of the new build and drain an old one, one \
        pair after the other: each slice moves once.

        The exit code is 0 if the node has ended in order, 1 if it was buried or the command was \
        interrupted before, 2 if no node lives by that number or the database cannot be used.

        EXAMPLES
          proscenium cluster status postgres://app@db/sessions
          proscenium cluster drain postgres://app@db/sessions 4
          proscenium cluster drain postgres://app@db/sessions 4 --no-wait
        """)

    @Argument(help: "The address of the database.")
    var address: String

    @Argument(help: "The number of the node, as 'status' lists it.")
    var node: Int32

    @Flag(inversion: .prefixedNo, help: "Wait until the node has ended.")
    var wait = true

    func run() async throws {
      try await ClusterStatus.drain(node, at: address)
      guard wait else { return try Terminal.writeOutput("node \(node) is draining\n") }
      Terminal.trapInterrupts()
      let progress = Terminal.progress()
      let end = try await waitForEnd(progress)
      progress.end()
      try Terminal.writeOutput("node \(node) \(end.text)\n")
      if end != .left { throw ExitCode(1) }
    }

    private enum End {
      case left, buried, interrupted

      var text: String {
        switch self {
        case .left: "has ended, and other nodes have its slices"
        case .buried: "was buried before it had given all its slices away"
        case .interrupted: "is still draining"
        }
      }
    }

    /// Looks again and again, since the database tells no other program.
    private func waitForEnd(_ progress: ProgressLine) async throws -> End {
      var first: Int?
      while !Terminal.isInterrupted {
        let status = try await ClusterStatus.read(address)
        guard let found = status.nodes.first(where: { $0.number == node }) else { return .left }
        if found.state == .dead { return .buried }
        let all = max(1, first ?? found.slices)
        first = all
        progress.show(1 - Double(found.slices) / Double(all)) { _ in
          ["\(found.slices) slices left"]
        }
        try await ContinuousClock().sleep(for: .milliseconds(100))
      }
      return .interrupted
    }
  }
#endif
