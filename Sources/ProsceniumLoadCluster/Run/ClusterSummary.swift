// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import ProsceniumLoad
  import ProsceniumLoadNodes

  /// What a run came to.
  struct ClusterSummary: Sendable {
    /// What was seen in a second.
    struct Sample: Sendable {
      /// The end of the second, in seconds since the load began.
      var time = 0.0
      var seconds = 0.0
      var sent = 0
      var delivered = LatencyHistogram()
      /// How long users waited until their messages were durable.
      var durable = LatencyHistogram()
      var connected = 0
      /// How much memory all nodes had together.
      var resident = 0
      /// How often nodes were struck until then.
      var strikes = 0
      /// How many slices each node served that had not ended, by its name.
      var slices: [String: Int] = [:]
    }

    /// What was done to nodes, and what came of it.
    struct Strike: Sendable {
      let kind: NodeStrike
      /// The node that it was done to; nil for all.
      var node: String?
      /// When it was, in seconds since the load began.
      let begun: Double
      /// When the node was buried, and when the others served all slices, in seconds after it.
      var buriedAfter: Double?
      var servedAfter: Double?
      /// How long each drain took, in seconds.
      var drains: [Double] = []

      init(_ kind: NodeStrike, of node: String, at time: Double) {
        self.kind = kind
        self.node = node
        begun = time
      }
    }

    let plan: ClusterPlan
    var samples: [Sample] = []
    var strikes: [Strike] = []
    var nodes: [NodeLife] = []
    var moves = SliceMoves()
    var gifts = Gifts(logs: [])
    var totals = EventTotals()
    /// What the sessions remember after another launch of all nodes.
    var afterLaunch = EventTotals()
    var isInterrupted = false

    init(_ plan: ClusterPlan) {
      self.plan = plan
    }

    var seconds: Double { samples.last?.time ?? 0 }

    var delivered: LatencyHistogram { Self.sum(samples.map(\.delivered)) }
    var durable: LatencyHistogram { Self.sum(samples.map(\.durable)) }

    private static func sum(_ histograms: [LatencyHistogram]) -> LatencyHistogram {
      histograms.reduce(into: LatencyHistogram()) { $0.add($1) }
    }

    // MARK: - The verdict

    /// Why the promises did not hold; empty if they did.
    var reasons: [String] {
      var reasons = Self.reasons(totals, losesOwners: plan.nodes.losesOwners)
      // What has gone since is told once.
      let known = Self.counts(totals)
      for (place, count) in Self.counts(afterLaunch).enumerated()
      where count.value > known[place].value {
        reasons.append("\(count.value - known[place].value) \(count.what) after the next launch")
      }
      reasons += gifts.failures.prefix(3)
      reasons += nodes.filter { $0.end == .failed }.map { "\($0.name) ended by itself" }
      if strikes.contains(where: { $0.kind == .deploy }), !plan.nodes.losesOwners,
        moves.mean > SliceMoves.limit
      {
        reasons.append(
          "slices moved \(NumberText.fixed(moves.mean, places: 2)) times in the deploy,"
            + " \(SliceMoves.limit) are due")
      }
      return reasons
    }

    private static func counts(_ totals: EventTotals) -> [(value: Int, what: String)] {
      [
        (totals.durableMissing, "durable messages were gone"),
        (totals.missing, "events were not delivered"),
        (totals.double, "events were delivered twice"),
        (totals.late, "events were delivered out of their order"),
        (totals.silent, "sessions did not answer"),
      ]
    }

    private static func reasons(
      _ totals: EventTotals, losesOwners: Bool
    ) -> [String] {
      var reasons = counts(totals).filter { $0.value > 0 }
      if losesOwners {
        // What a process had taken and not saved is lost with it.
        reasons.removeAll { $0.what.hasSuffix("not delivered") }
      } else {
        reasons += [
          (totals.lost, "events were lost, and no owner had died"),
          (totals.unknown, "messages of users were not answered, and no owner had died"),
        ].filter { $0.0 > 0 }.map { (value: $0.0, what: $0.1) }
      }
      return reasons.map { "\($0.value) \($0.what)" }
    }

    var verdict: String {
      if !reasons.isEmpty { return "violated: " + reasons.joined(separator: "; ") }
      return isInterrupted ? "held, stopped early" : "held"
    }
  }
#endif
