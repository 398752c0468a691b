// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  /// What the logs of nodes say of slices that they gave away.
  ///
  /// From the moment in which a gift begins, until its receiver serves it, no node serves the
  /// sessions of its slices: that is their blackout.
  struct Gifts: Sendable {
    private struct Gift: Sendable {
      let slices: Int
      let sessions: Int
      /// In milliseconds.
      let blackout: Double
      let isServed: Bool
    }

    private var all: [Gift] = []
    /// What could not be given away.
    private(set) var failures: [String] = []

    init(of nodes: [NodeProcess]) {
      for node in nodes {
        failures += node.said("slices could not be given away")
        all += node.said("slices were given to another node").map { line in
          Gift(
            slices: Int(NodeProcess.value("slices", in: line)),
            sessions: Int(NodeProcess.value("sessions", in: line)),
            blackout: NodeProcess.value("time", in: line) * 1_000,
            isServed: line.contains("served=true"))
        }
      }
      all.sort { $0.blackout < $1.blackout }
    }

    var count: Int { all.count }
    var slices: Int { all.reduce(0) { $0 + $1.slices } }
    var sessions: Int { all.reduce(0) { $0 + $1.sessions } }
    /// How many gifts the receiver did not say to serve in time; their blackouts ended earlier.
    var unserved: Int { all.count { !$0.isServed } }
    var longest: Double { all.last?.blackout ?? 0 }

    /// The blackout that a share of the sessions did not exceed, in milliseconds.
    func blackout(_ share: Double) -> Double {
      let limit = share * Double(sessions)
      var count = 0
      for gift in all {
        count += gift.sessions
        if Double(count) >= limit { return gift.blackout }
      }
      return longest
    }
  }
#endif
