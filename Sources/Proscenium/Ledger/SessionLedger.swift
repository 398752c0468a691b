// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// All open sessions as admission sees them, and every decision about them, as a pure value.
///
/// The ledger holds the *admitted* view: where each session will be once everything that was
/// admitted has run. A request is decided against it in the order of arrival, which is the total
/// order of requests; the plan that comes out is carried out later by the session's shard. What
/// callbacks have done so far is the *visible* view, which the shards keep.
struct SessionLedger: Sendable {
  /// What the host allows.
  struct Rules: Sendable {
    var foregroundCapacity: Int?
    var sessionQuota: Int?
    /// How many sessions one owner may have.
    var ownerQuota: Int?
    var supportsMultipleScenes = true
    var shardBits = 6
  }

  /// Where a session will be.
  enum State: UInt8, Sendable {
    case free, archived, background, inactive, active, discarding, dead

    var isForeground: Bool { self == .inactive || self == .active }
    var isOpen: Bool { self != .free && self != .discarding && self != .dead }
    var isConnected: Bool { self == .background || isForeground }
  }

  /// One session: 16 bytes.
  struct Record: Sendable {
    static let noPlace = UInt16.max

    /// The activation counter's value at the last activation (R-RT-6 c).
    var lastActivated: UInt64 = 0
    /// What is decided about the session so far.
    var decisions = DecisionClock()
    /// The place that it has in its group's foreground.
    var place = Record.noPlace
    var state = State.free
    var role: UInt8 = 0

    /// The session's rank in the tie-break of routing (R-RT-6 b and c).
    var rank: SessionRank {
      let rank: SessionRank.State =
        switch state {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        default: .archived
        }
      return SessionRank(rank, lastActivated: lastActivated)
    }
  }

  /// The session that an activation needs out of its way, and how it stood before.
  struct Partner: Sendable {
    enum Kind: UInt8, Sendable {
      /// It gives way now: both move in one joint item.
      case victim
      /// It left the place earlier: the newcomer waits until it has really gone.
      case leaver
    }

    let kind: Kind
    let handle: SessionHandle
    /// Of a victim: the state that it has if the newcomer fails.
    var state = State.background
    var decisions = DecisionClock()
  }

  /// What an activation comes to.
  struct Activation: Sendable {
    let handle: SessionHandle
    /// The value of the activation counter, or nil if the session will not become active by this.
    let counter: UInt64?
    /// The value that the session had before.
    let lastCounter: UInt64
    let decisions: DecisionClock
    let partner: Partner?
    /// Whether the session stood in the foreground already.
    let wasForeground: Bool

    /// The session that gives way by it.
    var victim: SessionHandle? {
      if let partner, partner.kind == .victim { partner.handle } else { nil }
    }
  }

  /// The largest activation counter that is taken from a store: no application comes near it, and
  /// it leaves room for as many activations again in the 48 bits of a row.
  private static let largestStoredCounter: UInt64 = 1 << 47

  let rules: Rules
  private(set) var openCount = 0
  private var records: [PagedArray<Record>]
  private var groups: SessionGroups
  /// Whose the open sessions are.
  private(set) var owners = SessionOwners()
  private var freeSlots: [[UInt32]]
  private var foreground: ForegroundPlaces
  private var nextShard = 0
  private(set) var activationCounter: UInt64 = 0

  init(rules: Rules) {
    self.rules = rules
    records = Array(repeating: PagedArray(), count: 1 << rules.shardBits)
    groups = SessionGroups(shardBits: rules.shardBits)
    freeSlots = Array(repeating: [], count: 1 << rules.shardBits)
    foreground = ForegroundPlaces(capacity: rules.foregroundCapacity)
  }

  subscript(handle: SessionHandle) -> Record {
    get { records[handle.shard(rules.shardBits)][handle.slot(rules.shardBits)] }
    _modify { yield &records[handle.shard(rules.shardBits)][handle.slot(rules.shardBits)] }
  }

  // MARK: - Sessions come and go

  /// Says why a new session is not possible, or nil if it is (semantics#errors).
  func refusalOfNewSession() -> SceneError.Code? {
    if !rules.supportsMultipleScenes, openCount > 0 { return .multipleScenesNotSupported }
    if let quota = rules.sessionQuota, openCount >= quota { return .quotaReached }
    return nil
  }

  /// Checks that a new session is possible.
  ///
  /// - Throws: `multipleScenesNotSupported` or `quotaReached`.
  func checkNewSession(of owner: String?) throws(SceneError) {
    if let owner, let quota = rules.ownerQuota, owners[owner].count >= quota {
      throw SceneError(
        .quotaReached, "the host allows one owner \(quota) open sessions, and this one has them")
    }
    guard let code = refusalOfNewSession() else { return }
    throw SceneError(
      code,
      code == .quotaReached
        ? "the host allows \(rules.sessionQuota ?? 0) open sessions"
        : "the manifest does not support multiple scenes and a session is open")
  }

  /// Reserves the place of a new session.
  ///
  /// The identifier's hash chooses the shard. Where a group's foreground has a capacity the group
  /// does, so that sessions which can displace one another share one.
  mutating func open(
    role: UInt8, group: SceneGroup?, owner: String? = nil, spread: UInt64,
    state: State = .archived, lastActivated: UInt64 = 0
  ) -> SessionHandle {
    let groupIndex = foreground.join(group)
    let shard =
      rules.foregroundCapacity == nil
      ? Int(spread >> 32) & (1 << rules.shardBits - 1)
      : Int(groupIndex) & (1 << rules.shardBits - 1)
    var record = Record()
    record.role = role
    record.state = state
    record.lastActivated = min(lastActivated, Self.largestStoredCounter)
    activationCounter = max(activationCounter, record.lastActivated)
    openCount += 1
    let handle = takeSlot(of: shard, for: &record)
    groups[handle] = groupIndex
    foreground.enter(handle, in: groupIndex)
    if let owner { owners.add(handle, of: owner) }
    return handle
  }

  /// The sessions of a group, and some that have just ended, in no order.
  func sessions(of group: SceneGroup) -> Set<SessionHandle> { foreground.members(of: group) }

  private mutating func takeSlot(of shard: Int, for record: inout Record) -> SessionHandle {
    guard let slot = freeSlots[shard].popLast() else {
      records[shard].append(record)
      return SessionHandle(
        slot: records[shard].count - 1, shard: shard, shardBits: rules.shardBits)
    }
    record.decisions = records[shard][Int(slot)].decisions.next
    records[shard][Int(slot)] = record
    return SessionHandle(slot: Int(slot), shard: shard, shardBits: rules.shardBits)
  }

  /// Gives a session's slot back, after the last item that named it has run.
  mutating func free(_ handle: SessionHandle) {
    foreground.leave(groups[handle], handle)
    self[handle].state = .free
    self[handle].decisions.tick()
    freeSlots[handle.shard(rules.shardBits)].append(UInt32(handle.slot(rules.shardBits)))
  }

  // MARK: - Decisions

  /// Decides that a session comes to the foreground, and who gives way (R-ACTV-2).
  mutating func activate(
    _ handle: SessionHandle, requester: SessionHandle?, becomesActive: Bool
  ) -> Activation {
    let before = self[handle]
    var partner: Partner?
    if !before.state.isForeground, rules.foregroundCapacity != nil {
      partner = takePlace(for: handle, requester: requester)
    }
    let goal: State = becomesActive ? .active : .inactive
    var counter: UInt64?
    if goal == .active, before.state != .active {
      activationCounter += 1
      counter = activationCounter
      self[handle].lastActivated = activationCounter
    }
    self[handle].state = goal
    self[handle].decisions.tick()
    return Activation(
      handle: handle, counter: counter, lastCounter: before.lastActivated,
      decisions: self[handle].decisions, partner: partner,
      wasForeground: before.state.isForeground)
  }

  private mutating func takePlace(
    for handle: SessionHandle, requester: SessionHandle?
  ) -> Partner? {
    let group = groups[handle]
    if let free = foreground.takeFreePlace(in: group, for: handle) {
      self[handle].place = free.place
      return free.leaver.map { Partner(kind: .leaver, handle: $0) }
    }
    guard let victim = leastRecentlyActive(in: group, sparing: requester) else { return nil }
    let partner = Partner(
      kind: .victim, handle: victim, state: self[victim].state,
      decisions: self[victim].decisions.next)
    let place = self[victim].place
    self[victim].place = Record.noPlace
    self[victim].state = .background
    self[victim].decisions.tick()
    foreground.occupy(place, in: group, by: handle)
    self[handle].place = place
    return partner
  }

  /// The session of a group that leaves the foreground: least recently active first, the requester
  /// only if there is no other.
  private func leastRecentlyActive(
    in group: UInt32, sparing requester: SessionHandle?
  ) -> SessionHandle? {
    let occupants = foreground.occupants(of: group)
    let others = occupants.filter { $0 != requester }
    return (others.isEmpty ? occupants : others).min {
      self[$0].lastActivated < self[$1].lastActivated
    }
  }

  /// Takes back that a session was active just now: its restoration holds it up.
  mutating func withdrawActivation(_ handle: SessionHandle, to lastActivated: UInt64) {
    self[handle].lastActivated = lastActivated
  }

  /// Gives a session the next value of the activation counter: it became active after it was held
  /// up.
  mutating func renewActivation(_ handle: SessionHandle) -> UInt64 {
    activationCounter += 1
    self[handle].lastActivated = activationCounter
    return activationCounter
  }

  /// Decides that a session leaves the foreground; returns false if it was not there.
  mutating func enterBackground(_ handle: SessionHandle) -> Bool {
    guard self[handle].state.isForeground else { return false }
    leavePlace(handle)
    self[handle].state = .background
    self[handle].decisions.tick()
    return true
  }

  /// What an interruption, or its end, comes to.
  enum Interruption {
    case unchanged
    case interrupted
    case resumed(UInt64)
  }

  /// Decides on an interruption (`true`) or its end.
  mutating func setInterrupted(_ handle: SessionHandle, _ isInterrupted: Bool) -> Interruption {
    guard self[handle].state == (isInterrupted ? .active : .inactive) else { return .unchanged }
    self[handle].state = isInterrupted ? .inactive : .active
    self[handle].decisions.tick()
    guard !isInterrupted else { return .interrupted }
    activationCounter += 1
    self[handle].lastActivated = activationCounter
    return .resumed(activationCounter)
  }

  /// Decides that an archived session is connected in the background; returns whether it was
  /// archived.
  mutating func connect(_ handle: SessionHandle) -> Bool {
    guard self[handle].state == .archived else { return false }
    self[handle].state = .background
    self[handle].decisions.tick()
    return true
  }

  /// Decides that a session loses its scene (R-DIS-1), or has none.
  mutating func disconnect(_ handle: SessionHandle) {
    // One whose restoration took too long may have got its place back from a session that failed.
    leavePlace(handle)
    self[handle].state = .archived
    self[handle].decisions.tick()
  }

  /// Decides that a session whose restoration took too long has lost its scene, unless something
  /// else was decided since (R-EXT-1); returns whether it has.
  mutating func expire(_ handle: SessionHandle, decisions: DecisionClock) -> Bool {
    guard self[handle].decisions == decisions else { return false }
    leavePlace(handle)
    self[handle].state = .archived
    self[handle].decisions.tick()
    return true
  }

  /// Decides that a session ends.
  mutating func discard(_ handle: SessionHandle) {
    leavePlace(handle)
    self[handle].state = .discarding
    self[handle].decisions.tick()
    owners.remove(handle)
    openCount -= 1
  }

  /// Decides what becomes of the victim of a joint item whose newcomer does not come: its
  /// configuration failed, or its saved state cannot be read.
  ///
  /// The victim keeps its place if its scene is there and nothing was decided about either of the
  /// two since; otherwise the place may be promised already, and the victim has to leave now.
  ///
  /// - Returns: Whether the victim, if there is one, leaves now.
  mutating func returnPlace(
    of handle: SessionHandle, decisions: DecisionClock, partner: Partner?, isVictimThere: Bool
  ) -> Bool {
    guard let partner, partner.kind == .victim else { return false }
    let place = self[handle].place
    let victim = partner.handle
    guard isVictimThere, self[handle].decisions == decisions, place != Record.noPlace,
      self[victim].decisions == partner.decisions
    else { return true }
    foreground.occupy(place, in: groups[handle], by: victim)
    self[victim].place = place
    self[victim].state = partner.state
    self[handle].place = Record.noPlace
    return false
  }

  /// Decides that a session never opened: its configuration failed.
  ///
  /// - Returns: Whether the victim, if there is one, leaves now (``returnPlace``).
  mutating func fail(
    _ handle: SessionHandle, decisions: DecisionClock, partner: Partner?, isVictimThere: Bool
  ) -> Bool {
    let group = groups[handle]
    let victimLeaves = returnPlace(
      of: handle, decisions: decisions, partner: partner, isVictimThere: isVictimThere)
    if self[handle].place != Record.noPlace {
      // It never came, but those who gave way to it may still have to go, in its lane.
      foreground.vacate(self[handle].place, in: group, leaver: handle)
      self[handle].place = Record.noPlace
    }
    if self[handle].state.isOpen { openCount -= 1 }
    owners.remove(handle)
    self[handle].state = .dead
    self[handle].decisions.tick()
    return victimLeaves
  }

  private mutating func leavePlace(_ handle: SessionHandle) {
    let place = self[handle].place
    guard place != Record.noPlace else { return }
    foreground.vacate(place, in: groups[handle], leaver: handle)
    self[handle].place = Record.noPlace
  }

  /// Calls a function with every open session.
  func forEachOpen(_ body: (SessionHandle, Record) -> Void) {
    for shard in records.indices {
      for slot in 0..<records[shard].count where records[shard][slot].state.isOpen {
        body(
          SessionHandle(slot: slot, shard: shard, shardBits: rules.shardBits),
          records[shard][slot])
      }
    }
  }
}
