// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import CProscenium
import Synchronization

/// The side of a shard that every thread can reach: its FIFO, and what is known of its sessions.
///
/// Everything here is behind one short lock, so that finding a session and appending to its
/// lane are one step. Identifiers are found in the shard that their hash names; where scene groups
/// choose the shard, the entry found there points to another one.
final class ShardMailbox: Sendable {
  /// What senders and readers may know of a session: 40 bytes.
  struct Entry: Sendable {
    var identifier = SessionIdentifier(high: 0, low: 0)
    var details = SessionDetails.none {
      // Cached, so that admission need not follow a reference at each disconnect.
      didSet { flags[.hasDestructionConditions] = details.hasDestructionConditions }
    }
    var scene: Scene?
    var configuration: UInt16 = 0
    var flags = Flags()
    /// Of a pending refresh whose plan is queued: the plan's decision.
    private var refresh = DecisionClock()

    /// What is true or false of a session.
    struct Flags: MarkSet {
      var rawValue: UInt16
      /// The admitted view: the session takes requests and messages.
      static let isOpen = Flags(rawValue: 1)
      /// The admitted view: a message needs no decision, the scene is connected or will be.
      static let isConnected = Flags(rawValue: 1 << 1)
      /// The visible view: the session is one of the open ones.
      static let isVisible = Flags(rawValue: 1 << 2)
      /// The session's first connection failed: what still names it does nothing.
      static let isDead = Flags(rawValue: 1 << 3)
      /// A refresh was requested and is still to be fulfilled: another one would be the same.
      static let hasPendingRefresh = Flags(rawValue: 1 << 4)
      /// The pending refresh does not wait for the host any more: its plan is queued.
      static let isRefreshPlanned = Flags(rawValue: 1 << 5)
      /// Nothing makes a scene for the configuration any more (R-CFG-6).
      static let isUnresolvable = Flags(rawValue: 1 << 6)
      /// The application delegate is to choose again when the session connects (R-CON-1).
      static let isToBeAsked = Flags(rawValue: 1 << 7)
      /// The saved state is not in memory: the store has it.
      static let isStateStored = Flags(rawValue: 1 << 8)
      /// The last scene left a state that could not be sealed: the next one tries again.
      static let isStateUnsaved = Flags(rawValue: 1 << 9)
      /// The saved state is about to be used: it stays in memory until it is left again.
      static let isStateWanted = Flags(rawValue: 1 << 10)
      /// The session has destruction conditions.
      static let hasDestructionConditions = Flags(rawValue: 1 << 11)
    }

    /// Whether one of the session's destruction conditions has come true (R-DC-1).
    @inline(__always)
    func isDestroyed(by condition: Scene.DestructionCondition) -> Bool {
      flags[.hasDestructionConditions] && details.isDestroyed(by: condition)
    }

    /// Notes that a refresh is to be fulfilled.
    ///
    /// - Parameter plan: The decision of its plan; nil while it waits for the host, and no plan is
    ///   the one.
    mutating func setPendingRefresh(plan: DecisionClock?) {
      flags[.hasPendingRefresh] = true
      flags[.isRefreshPlanned] = plan != nil
      refresh = plan ?? DecisionClock()
    }

    /// Fulfils the refresh if this is its plan; returns whether it is.
    mutating func takePendingRefresh(plan: DecisionClock) -> Bool {
      guard flags.contains([.hasPendingRefresh, .isRefreshPlanned]), refresh == plan else {
        return false
      }
      flags[.hasPendingRefresh] = false
      return true
    }

    /// Asks the processor to fetch the scene, for which something has just been queued.
    @inline(__always)
    func prefetchScene() {
      unsafe proscenium_prefetch(unsafeBitCast(scene, to: UnsafeRawPointer?.self))
    }
  }

  struct State: Sendable {
    var queue = ShardQueue()
    /// Messages that were accepted and have not been delivered.
    var eventCount = 0
    var entries = PagedArray<Entry>()
    /// How many of the entries are visible.
    private(set) var visibleCount = 0
    var directory = HandleTable()
    /// Lanes that had to wait when the shard last looked.
    var parkedLanes = 0
    var doorbell = Doorbell()
    /// By slot, the last departure of a session whose saved state the store does not have yet.
    var departures: [Int32: UInt32] = [:]
    private var departureCount: UInt32 = 0
    /// Senders that wait until fewer messages are undelivered.
    var waitingForRoom: [Sleeper] = []
    var isClosed = false
    /// The sessions that another process has taken over, until they have gone.
    var fenced: Set<Int32> = []

    /// Puts an entry into a slot, or behind the last one.
    mutating func put(_ entry: Entry, _ slot: Int) {
      if slot == entries.count {
        entries.append(entry)
      } else {
        visibleCount -= entries[slot].flags[.isVisible] ? 1 : 0
        if !fenced.isEmpty { fenced.remove(Int32(slot)) }
        entries[slot] = entry
      }
      visibleCount += entry.flags[.isVisible] ? 1 : 0
    }

    /// Says whether a session is one of the open ones in the visible view.
    mutating func setVisible(_ isVisible: Bool, _ slot: Int) {
      if entries[slot].flags[.isVisible] == isVisible { return }
      entries[slot].flags[.isVisible] = isVisible
      visibleCount += isVisible ? 1 : -1
    }

    /// Notes that a saved state is left to the store; returns the number of the departure.
    mutating func depart(_ slot: Int32) -> UInt32 {
      departureCount &+= 1
      departures[slot] = departureCount
      return departureCount
    }

    /// Takes the senders that can go on once some messages no longer count.
    mutating func takeSenders(limit: Int) -> [Sleeper] {
      guard eventCount < limit || isClosed else { return [] }
      defer { waitingForRoom = [] }
      return waitingForRoom
    }

    /// The sessions for which something is queued that a scene is wanted for.
    var queuedSlots: Set<Int32> {
      var slots: Set<Int32> = []
      for item in queue.items where item.wantsScene {
        slots.insert(item.slot)
        if let partner = item.partner { slots.insert(partner.slot) }
      }
      return slots
    }
  }

  let state = Guarded(State())
  let tally = SceneTally()

  /// How many requests that were new work are finished; written by the shard alone.
  let finishedWork = Atomic<Int>(0)
  /// How many reconnections the shard has finished.
  let finishedReconnections = Atomic<Int>(0)

  /// Whether the shard had no scene to give when a policy last asked it, and has connected none
  /// since; written by the shard, and by each look of the policy.
  let isSpent = Atomic<Bool>(false)

  /// Appends an item and wakes the shard's own task if it sleeps.
  func post(_ item: ShardItem) {
    let sleeper = state.withLock { state in
      state.queue.append(item)
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  /// Wakes the shard's own task if it sleeps.
  func ring() {
    state.withLock { $0.doorbell.ring() }?.wake()
  }

  /// The sessions for which something is queued that a scene is wanted for.
  var queuedSlots: Set<Int32> { state.withLock { $0.queuedSlots } }

  /// How many passes it takes until everything has run that is queued.
  var passes: Int { state.withLock { $0.queue.passes } }

  /// Finds a connected session of the shard, if nothing is queued for any session.
  ///
  /// - Parameters:
  ///   - session: The session's identifier.
  ///   - shard: The number of the shard.
  ///   - bits: How many of a handle's bits are its shard's.
  /// - Returns: Its slot, or nil.
  func slotOfIdleSession(_ session: SessionIdentifier, shard: Int, shardBits bits: Int) -> Int32? {
    state.withLock { state in
      guard state.queue.isEmpty else { return nil }
      let number = state.directory.find(session.spread) { number in
        let handle = SessionHandle(rawValue: number)
        return handle.shard(bits) == shard
          && state.entries[handle.slot(bits)].identifier == session
      }
      guard let slot = number.map({ SessionHandle(rawValue: $0).slot(bits) }),
        state.entries[slot].flags[.isOpen], state.entries[slot].flags[.isConnected]
      else { return nil }
      return Int32(slot)
    }
  }

  /// Moves what the next pass is to run into an empty batch; returns how many passes are left.
  func take(into batch: inout [ShardItem]) -> Int {
    state.withLock { $0.queue.take(into: &batch) }
  }

  /// Notes that a batch is done.
  ///
  /// - Parameters:
  ///   - delivered: How many messages of it no longer count against the bound.
  ///   - parkedLanes: How many lanes have to wait.
  ///   - limit: How many messages may be undelivered.
  func settle(delivered: Int, parkedLanes: Int, limit: Int) {
    let senders = state.withLock { state in
      state.eventCount -= delivered
      state.parkedLanes = parkedLanes
      return state.waitingForRoom.isEmpty ? [] : state.takeSenders(limit: limit)
    }
    for sender in senders { sender.wake() }
  }

  /// Waits until fewer messages are undelivered than may be: those of a parked lane can take long.
  func waitForRoom(limit: Int) async {
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard state.eventCount >= limit, !state.isClosed else { return false }
        state.waitingForRoom.append(sleeper)
        return true
      }
    }
  }

  /// Marks a session whose first connection failed; returns its identifier.
  func bury(_ slot: Int32) -> SessionIdentifier {
    state.withLock { state in
      state.entries[Int(slot)].flags[.isDead] = true
      state.entries[Int(slot)].flags[.isOpen] = false
      state.entries[Int(slot)].flags[.isConnected] = false
      state.setVisible(false, Int(slot))
      return state.entries[Int(slot)].identifier
    }
  }

  /// Whether a session has not failed to open.
  func isAlive(_ slot: Int32) -> Bool { state.withLock { !$0.entries[Int(slot)].flags[.isDead] } }

  /// Waits until there is something to do; returns false once the shard is closed.
  func waitForWork() async -> Bool {
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        guard state.queue.isEmpty, !state.isClosed else { return false }
        state.doorbell.rest(sleeper)
        return true
      }
    }
    return state.withLock { !$0.isClosed }
  }

  /// Lets the shard's own task end.
  func close() {
    let (sleeper, senders) = state.withLock { state in
      state.isClosed = true
      state.eventCount = 0
      return (state.doorbell.ring(), state.takeSenders(limit: 0))
    }
    sleeper?.wake()
    for sender in senders { sender.wake() }
  }
}
