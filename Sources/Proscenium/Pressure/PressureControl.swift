// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// A policy in force, and what all shards share of it.
final class PressureControl: Sendable {
  private struct State: Sendable {
    var ledger: PressureLedger
    var lastLook: Duration
  }

  /// What a look begins with.
  struct Look {
    /// The scenes that were not used since this tick are idle; nil if none can be yet.
    let idleTick: UInt32?
    /// Whether scenes have gone since the last look for want of memory.
    let hasRelieved: Bool
  }

  let policy: DisconnectionPolicy
  /// How many scenes are connected and not on their way out.
  let connected = Atomic<Int>(0)
  /// How many scenes the shards were asked for that they have not named yet.
  let promised = Atomic<Int>(0)
  /// How many looks there were: the time by which uses are noted.
  let tick = Atomic<UInt32>(0)
  private let state: Guarded<State>
  private let idleTicks: UInt32?
  private let hasRelieved = Atomic<Bool>(false)

  /// Begins a policy.
  ///
  /// - Parameters:
  ///   - policy: The policy, inside its ranges.
  ///   - time: When it begins; the first look is a period later.
  init(_ policy: DisconnectionPolicy, at time: Duration) {
    self.policy = policy
    idleTicks = policy.idleTime.map { idle in
      UInt32(clamping: (idle.attoseconds - 1) / policy.period.attoseconds + 1)
    }
    state = Guarded(State(ledger: PressureLedger(policy), lastLook: time))
  }

  /// When the next look is due.
  var nextLook: Duration { state.withLock { $0.lastLook } + policy.period }

  /// Begins a look, if it is time for one; only one of several callers does it then.
  func beginLook(at time: Duration) -> Look? {
    let isDue = state.withLock { state in
      guard time - state.lastLook >= policy.period else { return false }
      state.lastLook = time
      return true
    }
    guard isDue else { return nil }
    let tick = tick.wrappingAdd(1, ordering: .relaxed).newValue
    // A use is noted with the look before it; what counts is the look after it.
    let idle = idleTicks.flatMap { tick > $0 ? tick - $0 - 1 : nil }
    return Look(
      idleTick: idle, hasRelieved: hasRelieved.exchange(false, ordering: .relaxed))
  }

  // MARK: - Decisions

  /// Decides by a measure how many scenes have to go, and shares them among the shards.
  ///
  /// - Parameters:
  ///   - measure: What was measured.
  ///   - givers: How many scenes each shard could give.
  ///   - ask: Asks a shard for so many; it is called with the lock held.
  func decide(
    _ measure: PressureLedger.Measure, among givers: () -> [Int], ask: (Int, Int) -> Void
  ) {
    state.withLock { state in
      let count = state.ledger.decide(measure)
      if count > 0 { hasRelieved.store(true, ordering: .relaxed) }
      share(count, givers, ask)
    }
  }

  /// Whether there may be too many scenes; costs two loads.
  var isOverLimit: Bool {
    guard let limit = policy.sceneLimit else { return false }
    return connected.load(ordering: .relaxed) - promised.load(ordering: .relaxed) > limit
  }

  /// Decides how many scenes have to go because a shard has connected more, and shares them.
  func decideCount(among givers: () -> [Int], ask: (Int, Int) -> Void) {
    state.withLock { share(excess($0), givers, ask) }
  }

  /// Takes note of what a shard gave of what it was asked for, and asks others for the rest.
  ///
  /// A shard that has connected a scene says so and then looks at what is promised; here it is the
  /// other way round, with a fence between the two on both sides. So one of them sees the other,
  /// and a scene too many is asked for.
  func settle(asked: Int, given: Int, among givers: () -> [Int], ask: (Int, Int) -> Void) {
    promised.wrappingSubtract(asked, ordering: .relaxed)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard given < asked || isOverLimit else { return }
    state.withLock { share(max(asked - given, excess($0)), givers, ask) }
  }

  private func excess(_ state: State) -> Int {
    state.ledger.excess(
      connected: connected.load(ordering: .relaxed), promised: promised.load(ordering: .relaxed))
  }

  private func share(
    _ count: Int, _ givers: () -> [Int], _ ask: (Int, Int) -> Void
  ) {
    guard count > 0 else { return }
    let shares = PressureLedger.shares(of: count, among: givers())
    promised.wrappingAdd(shares.reduce(0, +), ordering: .relaxed)
    for (shard, share) in shares.enumerated() where share > 0 { ask(shard, share) }
  }
}

/// What a ``DisconnectionPolicy`` has seen and done.
public struct PressureReport: Sendable, Hashable {
  /// How many scenes are connected.
  public internal(set) var connectedScenes = 0

  /// How many may be, by the policy.
  public internal(set) var sceneLimit: Int?

  /// How many bytes were used when it looked last, as its source counts them.
  public internal(set) var usedBytes: Int?

  /// How many bytes there were when it looked last.
  public internal(set) var limitBytes: Int?

  /// How many scenes were disconnected because there were too many, or too little memory.
  public internal(set) var disconnectedForPressure = 0

  /// How many scenes were disconnected because they were idle.
  public internal(set) var disconnectedWhenIdle = 0
}
