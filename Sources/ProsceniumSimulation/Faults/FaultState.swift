// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What an injector knows behind its lock.
struct FaultState: Sendable {
  /// Tells the time since the beginning, once it has begun.
  var stopwatch: (@Sendable () -> Duration)?
  var counts: [FaultKind: Int] = [:]
  var misses = 0
  var refusals = 0
  /// The moments that need an action.
  var active: FaultSchedule
  /// How often the power was lost: a store has it while that is as it was when the store was made.
  var powerLosses = 0
  /// What happens to requests is drawn from it.
  var requests: SplitMix64
  /// How many stores were handed over.
  var stores = 0
  /// How many delegates have got a front.
  var delegates = 0
  /// Whether a task makes the requests that are held back.
  var isRunning = false
  /// Ended when the injection ends: a task may sleep until its next moment.
  var ending: AsyncStream<Never>.Continuation?
  /// Requests that are held back, the next one first.
  private var heldRequests: [HeldRequest] = []
  /// How far the clocks have jumped.
  private(set) var clockJump = Duration.zero
  private(set) var wallClockJump = Duration.zero
  private var passive: FaultSchedule

  /// Creates the state of a plan that has not begun.
  init(_ plan: FaultPlan) {
    active = FaultSchedule(plan.activeMoments)
    passive = FaultSchedule(plan.passiveMoments)
    requests = SplitMix64(seed: plan.seed, stream: 3)
  }

  /// When the next moment of the plan comes.
  var next: Duration? {
    guard let one = active.next, let other = passive.next else {
      return active.next ?? passive.next
    }
    return min(one, other)
  }

  /// When the clock jumps next.
  var nextClockJump: Duration? {
    passive.pending.first { $0.kind == .clockJump }?.time
  }

  /// Lets everything come that comes by itself, and counts it.
  mutating func come(until time: Duration) -> [FaultMoment] {
    guard let next = passive.next, next <= time else { return [] }
    let moments = passive.take(until: time)
    for moment in moments {
      counts[moment.kind, default: 0] += 1
      switch moment.kind {
      case .clockJump: clockJump += moment.distance ?? .zero
      case .wallClockJump: wallClockJump += moment.distance ?? .zero
      default: powerLosses += 1
      }
    }
    return moments
  }

  /// Holds a request back; returns false if no task would make it, or too many are held back.
  mutating func hold(_ request: HeldRequest) -> Bool {
    guard isRunning, heldRequests.count < HeldRequest.limit else { return false }
    // From the end, where most belong; behind those that are due at the same time.
    let place = heldRequests.lastIndex { $0.time <= request.time }.map { $0 + 1 } ?? 0
    heldRequests.insert(request, at: place)
    return true
  }

  /// Takes the requests whose time has come, in the order of their times.
  mutating func takeHeldRequests(until time: Duration) -> [HeldRequest] {
    let due = Array(heldRequests.prefix { $0.time <= time })
    heldRequests.removeFirst(due.count)
    return due
  }
}

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
