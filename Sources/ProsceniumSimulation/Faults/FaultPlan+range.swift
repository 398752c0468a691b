// SPDX-License-Identifier: Apache-2.0

extension FaultPlan {
  /// The plan with every value inside its range.
  var inRange: FaultPlan {
    var plan = self
    plan.seed = min(seed, UInt64(Int.max))
    plan.disconnects = disconnects.inRange
    plan.discards = discards.inRange
    plan.delegates.hogs = delegates.hogs.inRange
    plan.delegates.hangs = delegates.hangs.inRange
    plan.store.failedPerThousand = Self.share(store.failedPerThousand)
    plan.store.fullPerThousand = Self.share(store.fullPerThousand)
    plan.store.tornPerThousand = Self.share(store.tornPerThousand)
    plan.store.delays = store.delays.inRange
    plan.store.powerLosses = Self.moments(store.powerLosses)
    plan.clockJumps = clockJumps.prefix(Self.momentLimit).map { $0.inRange(from: .zero) }
    plan.wallClockJumps = wallClockJumps.prefix(Self.momentLimit)
      .map { $0.inRange(from: .zero - Self.farthestJump) }
    plan.requests.duplicatedPerThousand = Self.share(requests.duplicatedPerThousand)
    plan.requests.delays = requests.delays.inRange
    plan.kills = Self.moments(kills)
    return plan
  }

  fileprivate static func share(_ perThousand: Int) -> Int { min(max(perThousand, 0), 1_000) }

  fileprivate static func moment(_ moment: Duration) -> Duration {
    min(max(moment, .zero), lastMoment)
  }

  fileprivate static func moments(_ moments: [Duration]) -> [Duration] {
    moments.prefix(momentLimit).map(moment)
  }
}

extension FaultPlan.Strikes {
  fileprivate var inRange: FaultPlan.Strikes {
    // What is no number strikes never.
    let rate = perSecond > 0 ? min(perSecond, FaultPlan.rateLimit) : 0
    return FaultPlan.Strikes(perSecond: rate, moments: FaultPlan.moments(moments))
  }
}

extension FaultPlan.Delay {
  fileprivate var inRange: FaultPlan.Delay {
    FaultPlan.Delay(
      perThousand: FaultPlan.share(perThousand),
      time: time.clamped(to: .zero...FaultPlan.longestTime))
  }
}

extension FaultPlan.Jump {
  fileprivate func inRange(from farthestBack: Duration) -> FaultPlan.Jump {
    FaultPlan.Jump(
      at: FaultPlan.moment(moment),
      by: min(max(distance, farthestBack), FaultPlan.farthestJump))
  }
}
