// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumCluster

  /// Decides what becomes of those who have a store that another process wants to take over.
  struct PredecessorWatch: Sendable {
    enum Decision: Equatable {
      /// There is none in the way.
      case claim
      /// A node that has not been heard of for a lease, or is known to have ended.
      case bury(ClusterMember)
      /// Look again soon.
      case wait
      /// A node that lives.
      case inUse(ClusterMember)
    }

    private let own: Int32
    /// What the process calls itself, if it holds the lock file by which its predecessor has ended.
    private let heldName: String?
    private var watch: NodeWatch

    init(own: Int32, lease: Duration, heldName: String?) {
      self.own = own
      self.heldName = heldName
      watch = NodeWatch(lease: lease)
    }

    /// Decides by a look at the nodes.
    ///
    /// - Parameters:
    ///   - nodes: The nodes that are not dead, as the database has them.
    ///   - now: When they were asked for.
    /// - Returns: What is to be done next.
    mutating func look(at nodes: [ClusterMember], _ now: Duration) -> Decision {
      let inTheWay = nodes.filter { $0.number != own && ($0.slices > 0 || $0.number < own) }
      let (dead, alive) = watch.look(
        at: Dictionary(uniqueKeysWithValues: inTheWay.map { ($0.number, $0.beat) }), now)
      guard !inTheWay.isEmpty else { return .claim }
      if let victim = inTheWay.first(where: { $0.name == heldName || dead.contains($0.number) }) {
        return .bury(victim)
      }
      // A burial deals the slices out to all who wait. The first of these waits for the others,
      // which leave: else all of them would leave for one another.
      let isFirst = nodes.contains { $0.number == own && $0.slices > 0 }
      let other = inTheWay.first { alive.contains($0.number) && (!isFirst || $0.number < own) }
      return other.map { .inUse($0) } ?? .wait
    }
  }
#endif
