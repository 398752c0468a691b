// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ArgumentParser
  import Proscenium
  import ProsceniumLoad
  import ProsceniumLoadNodes

  /// What happens in a run.
  struct ClusterPlan: ParsableArguments {
    @Option(name: .customLong("cluster"), help: "How many nodes there are.")
    var count = 3

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

    @OptionGroup var nodes: NodePlan

    @Option(
      help: ArgumentHelp(
        "When states are captured: disconnect, event, or within so many milliseconds, as 50ms.",
        valueName: "when"))
    var durability = "disconnect"

    @Option(help: "What decides which node is struck.")
    var seed: UInt64 = 1

    func validate() throws {
      try Self.check("--cluster", count, 2...16)
      try Self.check("--sessions", sessions, 100...10_000_000)
      try Self.check("--users", users, 0...1_024)
      try Self.check("--connected", connected, 1...1_000_000)
      try Self.check("--rate", rate, 1...1_000_000)
      try Self.check("--duration", duration, 1...604_800)
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
  }
#endif
