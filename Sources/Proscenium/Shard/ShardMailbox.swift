// SPDX-License-Identifier: Apache-2.0

import CProscenium
import Synchronization

/// The side of a shard that every thread can reach: its FIFO, and what is known of its sessions.
///
/// Everything here stands behind one short lock, so that finding a session and appending to its
/// lane are one step. Identifiers are found in the shard that their hash names; where scene groups
/// choose the shard, the entry found there points to another one.
final class ShardMailbox: Sendable {
  /// What senders and readers may know of a session: 40 bytes.
  struct Entry: Sendable {
    var identifier = SessionIdentifier(high: 0, low: 0)
    var details = SessionDetails.none
    var scene: Scene?
    var configuration: UInt16 = 0
    /// The admitted view: the session can be found by its identifier.
    var isOpen = false
    /// The admitted view: a message needs no decision, the scene is connected or will be.
    var isConnected = false
    /// The visible view: the session is one of the open ones.
    var isVisible = false
    /// The session's first connection failed: what still names it does nothing.
    var isDead = false
    /// A refresh is queued and has not begun, so that another one would be the same.
    var isRefreshQueued = false

    /// Asks the processor to fetch the scene, for which something has just been queued.
    @inline(__always)
    func prefetchScene() {
      unsafe proscenium_prefetch(unsafeBitCast(scene, to: UnsafeRawPointer?.self))
    }
  }

  struct State: Sendable {
    var incoming: [ShardItem] = []
    /// How often something was taken out of the FIFO.
    var takes = 0
    /// Messages and calls that were accepted and have not been delivered.
    var eventCount = 0
    var entries = PagedArray<Entry>()
    var directory = HandleTable()
    /// Lanes that had to wait when the shard last looked.
    var parkedLanes = 0
    var doorbell = Doorbell()
    var isClosed = false
  }

  let state = Guarded(State())
  let tally = SceneTally()

  /// How many requests that were new work are finished; written by the shard alone.
  let finishedWork = Atomic<Int>(0)

  /// Appends an item and wakes the shard's own task if it sleeps.
  func post(_ item: ShardItem) {
    let sleeper = state.withLock { state in
      state.incoming.append(item)
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  /// Moves everything that has come in into an empty batch.
  func take(into batch: inout [ShardItem]) {
    state.withLock { state in
      if !state.incoming.isEmpty { state.takes &+= 1 }
      swap(&state.incoming, &batch)
    }
  }

  /// Notes that a batch is done.
  ///
  /// - Parameters:
  ///   - delivered: How many messages and calls of it no longer count against the bound.
  ///   - parkedLanes: How many lanes have to wait.
  func settle(delivered: Int, parkedLanes: Int) {
    state.withLock { state in
      state.eventCount -= delivered
      state.parkedLanes = parkedLanes
    }
  }

  /// Marks a session whose first connection failed; returns its identifier.
  func bury(_ slot: Int32) -> SessionIdentifier {
    state.withLock { state in
      state.entries[Int(slot)].isDead = true
      state.entries[Int(slot)].isVisible = false
      return state.entries[Int(slot)].identifier
    }
  }

  /// Waits until there is something to do; returns false once the shard is closed.
  func waitForWork() async -> Bool {
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard state.incoming.isEmpty, !state.isClosed else { return false }
        state.doorbell.rest(sleeper)
        return true
      }
    }
    return state.withLock { !$0.isClosed }
  }

  /// Lets the shard's own task end.
  func close() {
    let sleeper = state.withLock { state in
      state.isClosed = true
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }
}

/// How many scenes of one shard are connected, active and inactive, readable from anywhere.
///
/// Only the shard writes, so that plain stores do. A word that all shards share is touched when a
/// shard's first scene becomes active or its last one stops being so.
final class SceneTally: Sendable {
  private let connectedCount = Atomic<Int>(0)
  private let activeCount = Atomic<Int>(0)
  private let inactiveCount = Atomic<Int>(0)

  var connected: Int { connectedCount.load(ordering: .relaxed) }

  /// Counts a scene from one state to another.
  func move(
    from old: Scene.ActivationState, to new: Scene.ActivationState, _ aggregate: ApplicationTally
  ) {
    if old == .unattached { add(1, to: connectedCount) }
    if new == .unattached { add(-1, to: connectedCount) }
    if new == .foregroundActive, add(1, to: activeCount) == 1 { aggregate.addActiveShard(1) }
    if new == .foregroundInactive, add(1, to: inactiveCount) == 1 {
      aggregate.addInactiveShard(1)
    }
    if old == .foregroundActive, add(-1, to: activeCount) == 0 { aggregate.addActiveShard(-1) }
    if old == .foregroundInactive, add(-1, to: inactiveCount) == 0 {
      aggregate.addInactiveShard(-1)
    }
  }

  /// Counts an active scene more (`1`) or less (`-1`) while a hand-over runs, so that the
  /// application does not seem to leave the foreground in between (R-AGG-1).
  func credit(_ change: Int, _ aggregate: ApplicationTally) {
    let count = add(change, to: activeCount)
    if change > 0, count == 1 { aggregate.addActiveShard(1) }
    if change < 0, count == 0 { aggregate.addActiveShard(-1) }
  }

  @discardableResult
  private func add(_ change: Int, to counter: borrowing Atomic<Int>) -> Int {
    let value = counter.load(ordering: .relaxed) + change
    counter.store(value, ordering: .relaxed)
    return value
  }
}

/// How many shards have an active and an inactive scene.
final class ApplicationTally: Sendable {
  private let activeShards = Atomic<Int>(0)
  private let inactiveShards = Atomic<Int>(0)

  var state: Application.State {
    if activeShards.load(ordering: .acquiring) > 0 { return .active }
    return inactiveShards.load(ordering: .acquiring) > 0 ? .inactive : .background
  }

  func addActiveShard(_ change: Int) {
    activeShards.wrappingAdd(change, ordering: .acquiringAndReleasing)
  }

  func addInactiveShard(_ change: Int) {
    inactiveShards.wrappingAdd(change, ordering: .acquiringAndReleasing)
  }
}
