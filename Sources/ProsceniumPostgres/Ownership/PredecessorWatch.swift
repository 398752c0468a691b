// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// Decides what becomes of those who have a store that another process wants to take over.
  ///
  /// No clock but the observer's own decides, and that one only by what it measures between two
  /// looks: a node whose counter has not moved for a lease, while each look was answered, is dead.
  struct PredecessorWatch: Sendable {
    enum Decision: Equatable {
      /// There is none in the way.
      case claim
      /// A node that has not been heard of for a lease, or is known to have ended.
      case bury(NodeRow)
      /// Look again soon.
      case wait
      /// A node that lives.
      case inUse(NodeRow)
    }

    private let own: Int32
    private let lease: Duration
    /// What the process calls itself, if it holds the lock file by which its predecessor has ended.
    private let heldName: String?
    /// The beat of each node when it was last seen to change, and when that was.
    private var seen: [Int32: (beat: Int64, since: Duration)] = [:]
    private var lastLook: Duration?

    init(own: Int32, lease: Duration, heldName: String?) {
      self.own = own
      self.lease = lease
      self.heldName = heldName
    }

    /// How long the answer to a look may take, and the pause before the next, for the contact to be
    /// unbroken.
    static let patience = Duration.seconds(2)

    /// Decides by a look at the nodes.
    ///
    /// - Parameters:
    ///   - nodes: The nodes as the database has them.
    ///   - now: When they were asked for.
    /// - Returns: What is to be done next.
    mutating func look(at nodes: [NodeRow], _ now: Duration) -> Decision {
      // Who was cut off himself knows nothing about the time in between.
      if let last = lastLook, now - last > Self.patience { seen = [:] }
      lastLook = now
      let inTheWay = nodes.filter { node in
        node.number != own && !node.isDead && (node.slices > 0 || node.number < own)
      }
      guard !inTheWay.isEmpty else { return .claim }
      // A burial deals the slices out to all who wait. The first of these waits for the others,
      // which leave: else all of them would leave for one another.
      let isFirst = nodes.contains { $0.number == own && $0.slices > 0 }
      var alive: NodeRow?
      for node in inTheWay {
        if node.name == heldName { return .bury(node) }
        guard let known = seen[node.number] else {
          seen[node.number] = (node.beat, now)
          continue
        }
        if known.beat != node.beat {
          if !isFirst || node.number < own { alive = alive ?? node }
          seen[node.number] = (node.beat, now)
        } else if now - known.since >= lease {
          return .bury(node)
        }
      }
      return alive.map { .inUse($0) } ?? .wait
    }
  }
#endif
