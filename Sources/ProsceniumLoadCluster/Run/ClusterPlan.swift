// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Proscenium
  import ProsceniumLoad

  /// What happens in a run.
  struct ClusterPlan: ParsableArguments {
    /// What is done to nodes while events flow.
    enum Strike: Sendable, Hashable {
      /// A process is killed, and one of the same name follows it.
      case kill
      /// A process is stopped for longer than the lease, and goes on.
      case stop
      /// A node gives all its slices away, and ends.
      case drain
      /// Each node is replaced by one of a newer build.
      case deploy
    }

    @Option(name: .customLong("cluster"), help: "How many nodes there are.")
    var nodes = 3

    @Option(help: "How many sessions there are.")
    var sessions = 20_000

    @Option(help: "How many of them get events, and have scenes that are connected.")
    var connected = 2_000

    @Option(help: "How many events a second are due.")
    var rate = 5_000.0

    @Option(help: "How many users send, each when his last message is durable.")
    var users = 32

    @Option(help: "How long events are sent, in seconds; longer if what is done takes longer.")
    var duration = 20.0

    @Option(help: "How many nodes are killed, one after the other; each comes back.")
    var killNodes = 0

    @Option(help: "How many nodes are stopped for longer than their lease.")
    var stopNodes = 0

    @Flag(help: "Drain a node.")
    var drain = false

    @Flag(help: "Replace all nodes by those of a newer build, one after the other.")
    var deploy = false

    @Option(
      help: ArgumentHelp(
        "When states are captured: disconnect, event, or within so many milliseconds, as 50ms.",
        valueName: "when"))
    var durability = "disconnect"

    @Option(help: "How long a node must not be heard of until it is buried, in seconds.")
    var lease = 5.0

    @Option(
      help: ArgumentHelp(
        "A database with an empty store; otherwise a private server is started.",
        valueName: "postgres://…"))
    var database: String?

    @Option(help: "What decides which node is struck.")
    var seed: UInt64 = 1

    func validate() throws {
      try Self.check("--cluster", nodes, 2...16)
      try Self.check("--sessions", sessions, 100...10_000_000)
      try Self.check("--users", users, 0...1_024)
      try Self.check("--connected", connected, 1...1_000_000)
      try Self.check("--rate", rate, 1...1_000_000)
      try Self.check("--duration", duration, 1...604_800)
      try Self.check("--kill-nodes", killNodes, 0...10_000)
      try Self.check("--stop-nodes", stopNodes, 0...10_000)
      try Self.check("--lease", lease, 1...60)
      guard Durability(text: durability) != nil else {
        throw ValidationError(
          "expected --durability disconnect, event, or a time such as 50ms, got '\(durability)'.")
      }
      guard connected + users <= sessions / 2 else {
        throw ValidationError(
          "expected --connected and --users of half of --sessions at most, \(sessions / 2), got"
            + " \(connected + users).")
      }
    }

    private static func check<Value: Comparable>(
      _ flag: String, _ value: Value, _ range: ClosedRange<Value>
    ) throws {
      guard !range.contains(value) else { return }
      throw ValidationError(
        "expected \(flag) from \(range.lowerBound) to \(range.upperBound), got \(value).")
    }

    /// What is done, in its order.
    var strikes: [Strike] {
      [Strike](repeating: .kill, count: killNodes) + [Strike](repeating: .stop, count: stopNodes)
        + (drain ? [.drain] : []) + (deploy ? [.deploy] : [])
    }

    /// Whether an owner dies, or is taken for dead: what it had accepted and not saved is lost.
    var losesOwners: Bool { killNodes + stopNodes > 0 }
  }
#endif
