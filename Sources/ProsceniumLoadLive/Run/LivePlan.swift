// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ArgumentParser
  import Proscenium
  import ProsceniumLoadNodes

  /// When the host captures states.
  enum DurabilityChoice: String, ExpressibleByArgument {
    case everyEvent, onDisconnect

    var durability: Durability { self == .everyEvent ? .everyEvent : .onDisconnect }
  }

  /// What happens in a run.
  struct LivePlan: ParsableArguments {
    /// Files that a process has open besides its sockets, at most.
    private static let otherFiles = 200

    @Option(help: "How many clients there are, each with a session of its own.")
    var clients = 1_000

    @Option(help: "How many inputs a second they send together.")
    var rate = 1_000.0

    @Option(help: "How many lines break in a second, half of them by a reset.")
    var breaks = 50.0

    @Option(help: "How many tabs hide in a second, each for 5 seconds.")
    var hides = 50.0

    @Option(help: "How often the host is killed; 2 unless given. With --cluster: --kill-nodes.")
    var kills: Int?

    @Option(
      help: ArgumentHelp(
        "How many nodes serve the clients, 2 to 16, with their sessions in PostgreSQL.",
        valueName: "nodes"))
    var cluster: Int?

    @OptionGroup var nodes: NodePlan

    @Option(help: "How long the clients send, in seconds.")
    var seconds = 20.0

    @Option(
      help: ArgumentHelp(
        "When states are captured: everyEvent, or onDisconnect, with which a kill costs input.",
        valueName: "policy"))
    var durability = DurabilityChoice.everyEvent

    @Option(help: "What decides when lines break and tabs hide.")
    var seed: UInt64 = 1

    mutating func validate() throws {
      guard (1...50_000).contains(clients) else {
        throw ValidationError("expected 1 to 50000 clients, got \(clients).")
      }
      guard rate > 0, rate <= 1_000_000, breaks >= 0, hides >= 0, kills ?? 0 >= 0, seconds >= 1
      else {
        throw ValidationError("expected a rate above 0 and at least one second.")
      }
      try checkCluster()
      try Self.checkFiles(for: clients)
    }

    private func checkCluster() throws {
      guard let cluster else {
        guard nodes.strikes.isEmpty, nodes.database == nil else {
          throw ValidationError(
            "--database, --kill-nodes, --stop-nodes, --drain and --deploy need --cluster.")
        }
        return
      }
      guard (2...16).contains(cluster) else {
        throw ValidationError("expected 2 to 16 nodes, got \(cluster).")
      }
      guard kills == nil else {
        throw ValidationError("--kills is for one host: with --cluster it is --kill-nodes.")
      }
      #if !Links
        throw ValidationError(
          "--cluster needs the trait Links: build it by 'swift build --traits "
            + "Complete,Live,Links --product proscenium-load-live'.")
      #endif
    }

    /// Refuses more sockets than the system lets a process have.
    static func checkFiles(for clients: Int) throws {
      let limit = OpenFiles.raise()
      guard limit >= clients + otherFiles else {
        throw ValidationError(
          "\(clients) clients need \(clients + otherFiles) open files, the system allows \(limit): "
            + "raise it with 'ulimit -n', or ask for fewer clients.")
      }
    }

    /// What happens to the hosts, at even moments.
    var events: [NodeStrike] {
      cluster == nil ? Array(repeating: .kill, count: kills ?? 2) : nodes.strikes
    }

    var loopPlan: ClientLoop.Plan {
      ClientLoop.Plan(
        clients: 0..<clients, inputs: rate, breaks: breaks, hides: hides, seed: seed)
    }
  }
#endif
