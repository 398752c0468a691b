// SPDX-License-Identifier: Apache-2.0

/// A moment at which something goes wrong.
struct FaultMoment: Sendable, Hashable {
  let time: Duration
  let kind: FaultKind
  /// How far a clock jumps.
  var distance: Duration?
}

/// The moments of a plan that have not come yet, in their order.
struct FaultSchedule: Sendable {
  private(set) var pending: ArraySlice<FaultMoment>

  /// Creates a schedule; moments of the same time keep their order.
  init(_ moments: [FaultMoment]) {
    let order = moments.indices.sorted { left, right in
      moments[left].time != moments[right].time
        ? moments[left].time < moments[right].time : left < right
    }
    pending = order.map { moments[$0] }[...]
  }

  /// When the next one comes.
  var next: Duration? { pending.first?.time }

  /// Takes the moments that have come.
  mutating func take(until time: Duration) -> [FaultMoment] {
    let due = pending.prefix { $0.time <= time }
    pending = pending.dropFirst(due.count)
    return Array(due)
  }
}

extension FaultPlan {
  /// The moments that take effect without an action.
  var passiveMoments: [FaultMoment] {
    clockJumps.map { FaultMoment(time: $0.moment, kind: .clockJump, distance: $0.distance) }
      + wallClockJumps.map {
        FaultMoment(time: $0.moment, kind: .wallClockJump, distance: $0.distance)
      }
      + store.powerLosses.map { FaultMoment(time: $0, kind: .powerLoss) }
  }

  /// The moments that need an action.
  var activeMoments: [FaultMoment] {
    disconnects.moments.map { FaultMoment(time: $0, kind: .disconnect) }
      + discards.moments.map { FaultMoment(time: $0, kind: .discard) }
      + kills.map { FaultMoment(time: $0, kind: .kill) }
  }
}
