// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  import ArgumentParser

  /// Something that is done to a host in the middle of a run.
  enum HostEvent: Sendable, Equatable {
    /// It is killed, and another process takes its place.
    case kill
    /// It is stopped until others have its sessions, and goes on then.
    case stop
    /// It gives its sessions away, and ends.
    case drain
    /// Each host is replaced by one of a newer build.
    case deploy
  }

  /// What happens to the nodes, if the hosts are those of a cluster.
  struct ClusterPlan: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "How many nodes serve the clients, 2 to 16, with their sessions in PostgreSQL.",
        valueName: "nodes"))
    var cluster: Int?

    @Option(
      help: ArgumentHelp(
        "The database of the nodes, which has a store without sessions; a private server unless "
          + "given.", valueName: "address"))
    var database: String?

    @Option(help: "How often a node is killed, and started again.")
    var killNodes = 0

    @Option(help: "How often a node is stopped until others have its sessions, and goes on.")
    var stopNodes = 0

    @Flag(help: "Drains a node, as 'proscenium cluster drain' does.")
    var drain = false

    @Flag(help: "Replaces each node by one of a newer build.")
    var deploy = false

    @Option(help: "After how many seconds of silence others take a node's sessions.")
    var lease = 5.0

    func validate() throws {
      guard let cluster else {
        let isAlone = database == nil && killNodes == 0 && stopNodes == 0 && !drain && !deploy
        guard isAlone else {
          throw ValidationError(
            "--database, --kill-nodes, --stop-nodes, --drain and --deploy need --cluster.")
        }
        return
      }
      guard (2...16).contains(cluster) else {
        throw ValidationError("expected 2 to 16 nodes, got \(cluster).")
      }
      guard killNodes >= 0, stopNodes >= 0, (1...60).contains(lease) else {
        throw ValidationError("expected kills and stops from 0, and a lease of 1 to 60 s.")
      }
      #if !Links
        throw ValidationError(
          "--cluster needs the trait Links: build it by 'swift build --traits "
            + "Complete,Live,Links --product proscenium-load-live'.")
      #endif
    }

    /// What happens, in its order: a node can only be taken for dead while there is another one,
    /// so that stops come before the drain.
    var events: [HostEvent] {
      Array(repeating: .kill, count: killNodes) + Array(repeating: .stop, count: stopNodes)
        + (drain ? [.drain] : []) + (deploy ? [.deploy] : [])
    }
  }
#endif
