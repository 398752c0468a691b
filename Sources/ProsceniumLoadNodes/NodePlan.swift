// SPDX-License-Identifier: Apache-2.0

#if Complete
  package import ArgumentParser

  /// Something that is done to a node under load.
  package enum NodeStrike: Sendable, Hashable {
    /// Its process is killed, and one of the same name follows.
    case kill
    /// It is stopped until others have its sessions, and goes on then.
    case stop
    /// It gives all its slices away, and ends.
    case drain
    /// Each node is replaced by one of a newer build.
    case deploy
  }

  /// The nodes of a load test, and what is done to them.
  package struct NodePlan: ParsableArguments {
    @Option(help: "How often a node is killed, and started again.")
    package var killNodes = 0

    @Option(help: "How often a node is stopped until others have its sessions, and goes on.")
    package var stopNodes = 0

    @Flag(help: "Drains a node, as 'proscenium cluster drain' does.")
    package var drain = false

    @Flag(help: "Replaces each node by one of a newer build, one after the other.")
    package var deploy = false

    @Option(help: "After how many seconds of silence others take a node's sessions.")
    package var lease = 5.0

    @Option(
      help: ArgumentHelp(
        "The database of the nodes, which has a store without sessions; a private server unless "
          + "given.", valueName: "postgres://…"))
    package var database: String?

    package init() {}

    package func validate() throws {
      guard [killNodes, stopNodes].allSatisfy((0...10_000).contains) else {
        throw ValidationError(
          "expected --kill-nodes and --stop-nodes from 0 to 10000, got \(killNodes) and"
            + " \(stopNodes).")
      }
      guard (1...60).contains(lease) else {
        throw ValidationError("expected a lease of 1 to 60 s, got \(lease).")
      }
    }

    /// What is done, in its order: a node can only be taken for dead while there is another one,
    /// so that stops come before the drain.
    package var strikes: [NodeStrike] {
      Array(repeating: .kill, count: killNodes) + Array(repeating: .stop, count: stopNodes)
        + (drain ? [.drain] : []) + (deploy ? [.deploy] : [])
    }

    /// Whether an owner dies, or is taken for dead: what it had accepted and not saved is lost.
    package var losesOwners: Bool { killNodes + stopNodes > 0 }
  }
#endif
