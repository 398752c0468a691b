// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// Decides which nodes are dead.
  ///
  /// No clock but the observer's own decides, and that one only by what it measures between two
  /// looks: a node is dead whose counter has not moved for a lease, while the observer was in
  /// unbroken contact with the database.
  package struct NodeWatch: Sendable {
    private let lease: Duration
    /// The counter of each node, since when it is that, and whether it was seen to move.
    private var seen: [Int32: (beat: Int64, since: Duration, hasMoved: Bool)] = [:]
    private var lastLook: Duration?

    /// How long an answer of the database is waited for.
    package static let patience = Duration.seconds(2)

    /// How long an answer may take, and the pause between two, for the contact to be unbroken: well
    /// below a lease, so that a database that stood still is not taken for nodes that did.
    let patience: Duration

    package init(lease: Duration) {
      self.lease = lease
      patience = min(Self.patience, lease * 2 / 5)
    }

    /// Notes that the database did not answer in time: nothing is known about the time since.
    package mutating func loseContact() {
      seen = [:]
      lastLook = nil
    }

    /// Looks at the counters of nodes.
    ///
    /// - Parameters:
    ///   - beats: The counters of all nodes that are watched, by their numbers.
    ///   - now: When they were asked for.
    /// - Returns: The nodes that are dead, and those that were seen to live within the last half of
    ///   a lease.
    package mutating func look(
      at beats: [Int32: Int64], _ now: Duration
    ) -> (dead: Set<Int32>, alive: Set<Int32>) {
      // An observer that was cut off itself knows nothing about the time in between.
      if let last = lastLook, now - last > patience { seen = [:] }
      lastLook = now
      var (dead, alive): (Set<Int32>, Set<Int32>) = ([], [])
      for (node, beat) in beats {
        guard let known = seen[node] else {
          seen[node] = (beat, now, false)
          continue
        }
        if known.beat != beat {
          alive.insert(node)
          seen[node] = (beat, now, true)
        } else if now - known.since >= lease {
          dead.insert(node)
        } else if known.hasMoved, now - known.since < lease / 2 {
          alive.insert(node)
        }
      }
      for node in Array(seen.keys) where beats[node] == nil { seen[node] = nil }
      return (dead, alive)
    }
  }
#endif
