// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import Proscenium
  import ProsceniumPrimitives

  /// What happens to a cluster of a seed besides its load.
  enum ClusterFault: String, Sendable, CaseIterable {
    case kill, freeze, mute, cut, standstill, restart, rollBack, leave, move, tear, part, drain
  }

  /// What a simulated cluster is like.
  struct ClusterOptions: Sendable {
    var machines: Int
    var sliceBits: Int
    var lease: Duration
    /// How long there are faults.
    var time: Duration
    /// What may happen.
    var faults: [ClusterFault]
    /// How long after one fault the next comes, at most.
    var pause: Duration
    /// How many of a thousand calls are refused or lost.
    var lostCalls: Int
    /// The longest way of a call.
    var callTime: Duration
    /// How many owners of a slice may die until it is parked.
    var deathLimit: Int
    /// Whether nodes that have more than their share give slices to others.
    var balances = false
    /// Whether a process that starts again is of a newer build.
    var deploys = false
    /// Whether nodes bring messages to one another.
    var links = false
    /// When states are captured, if not by default.
    var durability: Durability?
    /// How many bytes the frames have at least that attached clients are shown.
    var frameSize = 0
    /// What is wrong with the database.
    var planted: Set<PlantedFault> = []

    init(drawing random: inout SplitMix64) {
      machines = 2 + random.number(below: 3)
      sliceBits = 2 + random.number(below: 3)
      lease = .milliseconds(1_000 + random.number(below: 2) * 1_000)
      time = .seconds(8 + random.number(below: 8))
      faults = ClusterFault.allCases.filter { fault in
        fault != .drain && random.happens(perThousand: 400)
      }
      pause = .milliseconds(500 + random.number(below: 4_000))
      lostCalls = random.happens(perThousand: 500) ? random.number(below: 20) : 0
      callTime = .milliseconds(1 + random.number(below: 40))
      deathLimit = random.happens(perThousand: 500) ? 2 + random.number(below: 2) : 100
      balances = random.happens(perThousand: 500)
      links = random.happens(perThousand: 600)
      deploys = random.happens(perThousand: 300)
      if random.happens(perThousand: 300) { faults.append(.drain) }
    }
  }
#endif
