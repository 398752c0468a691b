// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// What is in memory of the sessions that a store keeps: 32 bytes each, 8 for those that became
/// active, and 9 or more to find them.
struct SessionIndex: Sendable {
  /// One session.
  struct Entry: Sendable {
    let identifier: SessionIdentifier
    /// The sequence above the weight of the record.
    private var words: UInt64
    fileprivate(set) var place: RecordPlace

    fileprivate static let unused = Entry(SessionIdentifier(high: 0, low: 0), sequence: 0)

    fileprivate init(_ identifier: SessionIdentifier, sequence: UInt64) {
      self.identifier = identifier
      words = sequence << 25
      place = .none
    }

    /// The sequence of the session's number; 0 if the slot is free.
    var sequence: UInt64 { words >> 25 }

    /// How much the record counts in its segment, in steps of eight bytes.
    fileprivate(set) var weight: Int {
      get { Int(words & (1 << 25 - 1)) }
      set { words = words & ~(1 << 25 - 1) | UInt64(newValue) }
    }
  }

  private var entries = PagedArray<Entry>()
  /// The counter of the last activation that was appended, by slot; none at the end.
  private var activations = PagedArray<Int64>()
  private var table = HandleTable()
  private var free: [UInt32] = []

  /// The segments.
  var segments = SegmentTable()

  /// The sessions that were sealed for and not yet inserted.
  var pending = PendingSessions()

  /// What is wrong with the records that could not be opened.
  private var quarantine: [SessionNumber: StoreError] = [:]

  /// The sequence of the next session.
  private(set) var nextSequence: UInt64

  /// Whether the sessions of the file are in the index.
  private(set) var isLoaded = false

  /// How many sessions there are.
  private(set) var count = 0

  /// Of how many records it is remembered what is wrong with them; the others are looked at again.
  private static let quarantineLimit = 65_536

  /// Creates an index that is to be filled from the file.
  init(capacity: Int, nextSequence: UInt64) {
    table.reserve(min(capacity, SessionNumber.slotLimit))
    self.nextSequence = nextSequence
  }

  // MARK: - Looking

  /// The slot of a session.
  func find(_ identifier: SessionIdentifier) -> Int? {
    table.find(identifier.spread) { entries[Int($0)].identifier == identifier }
      .map { Int($0) }
  }

  /// Asks the processor to fetch what ``find(_:)`` goes through first.
  @inline(__always)
  func prefetch(_ identifier: SessionIdentifier) { table.prefetch(identifier.spread) }

  /// Asks the processor to fetch what ``find(_:)`` goes through, for each of many sessions that are
  /// looked for one after the other.
  @inline(__always)
  func prefetch(_ changes: some Collection<StoreChange>) {
    for change in changes { table.prefetch(change.session.spread) }
    for change in changes {
      if let slot = table.first(change.session.spread) { entries.prefetch(Int(slot)) }
    }
  }

  /// Asks the processor to fetch the entry of a session.
  @inline(__always)
  func prefetch(_ sid: SessionNumber) { entries.prefetch(sid.slot) }

  /// The session in a slot that is in use.
  subscript(slot: Int) -> Entry { entries[slot] }

  /// The number of the session in a slot.
  func number(_ slot: Int) -> SessionNumber {
    SessionNumber(sequence: entries[slot].sequence, slot: UInt32(slot))
  }

  /// The slot of a session's number, or `nil` if the session is not kept.
  func slot(of sid: SessionNumber) -> Int? {
    let slot = sid.slot
    return slot < entries.count && entries[slot].sequence == sid.sequence && sid.isValid
      ? slot : nil
  }

  // MARK: - Numbers for new sessions

  /// Takes a number for a new session.
  ///
  /// - Throws: `limitExceeded` when the store has had or has too many.
  mutating func takeNumber() throws(StoreError) -> SessionNumber {
    guard nextSequence < SessionNumber.sequenceLimit else {
      throw StoreError(.limitExceeded, "the store has had as many sessions as it can ever have.")
    }
    let slot: UInt32
    if let reused = free.popLast() {
      slot = reused
    } else {
      guard entries.count < SessionNumber.slotLimit else {
        throw StoreError(
          .limitExceeded, "the store has \(SessionNumber.slotLimit) sessions, and takes no more.")
      }
      slot = UInt32(entries.count)
      entries.append(.unused)
    }
    defer { nextSequence += 1 }
    return SessionNumber(sequence: nextSequence, slot: slot)
  }

  /// Gives back the number of a session that was never inserted.
  mutating func giveBack(_ sid: SessionNumber) {
    free.append(UInt32(sid.slot))
  }

  /// Adds a session that was sealed for and is not inserted yet.
  ///
  /// - Returns: The session that is given up in its place, if there are too many.
  mutating func addPending(
    _ session: PendingSessions.Session, for identifier: SessionIdentifier
  ) -> SessionIdentifier? {
    guard let dropped = pending.add(session, for: identifier) else { return nil }
    if dropped.session.isNew { giveBack(dropped.session.sid) }
    return dropped.identifier
  }

  // MARK: - Changing

  /// Enters a session under its number.
  mutating func insert(_ identifier: SessionIdentifier, _ sid: SessionNumber) {
    entries[sid.slot] = Entry(identifier, sequence: sid.sequence)
    table.insert(UInt32(sid.slot), identifier.spread)
    count += 1
  }

  /// Enters a session that the file has; the slots below that nothing has become free at the end.
  mutating func load(_ identifier: SessionIdentifier, _ sid: SessionNumber) {
    while entries.count <= sid.slot { entries.append(.unused) }
    insert(identifier, sid)
  }

  /// Whether a session that the file has can be entered: nothing is in its slot, and the slot is
  /// one that so many sessions can have needed.
  func canLoad(_ sid: SessionNumber) -> Bool {
    guard sid.sequence < nextSequence, UInt64(sid.slot) < nextSequence else { return false }
    return sid.slot >= entries.count || entries[sid.slot].sequence == 0
  }

  /// The counter of a session's last activation that was appended; 0 if there is none.
  func activation(_ slot: Int) -> Int64 { slot < activations.count ? activations[slot] : 0 }

  /// Notes that an activation of a session was appended.
  mutating func activate(_ sid: SessionNumber, _ counter: Int64) {
    guard let slot = slot(of: sid) else { return }
    while activations.count <= slot { activations.append(0) }
    activations[slot] = counter
  }

  /// Ends a load: finds the slots that are free.
  mutating func finishLoad() {
    isLoaded = true
    free = (0..<entries.count).reversed().filter { entries[$0].sequence == 0 }.map { UInt32($0) }
  }

  /// Removes a session.
  mutating func remove(_ slot: Int) {
    dropRecord(slot)
    quarantine[number(slot)] = nil
    table.remove(UInt32(slot), entries[slot].identifier.spread)
    entries[slot] = .unused
    if slot < activations.count { activations[slot] = 0 }
    free.append(UInt32(slot))
    count -= 1
  }

  /// Notes where the record of a session stands from now on; it was counted with its segment.
  mutating func place(_ slot: Int, at place: RecordPlace, size: Int) {
    dropRecord(slot)
    entries[slot].place = place
    entries[slot].weight = Self.weight(size)
    if !quarantine.isEmpty { quarantine[number(slot)] = nil }
  }

  /// Notes that a record was moved as it is.
  mutating func move(_ slot: Int, to place: RecordPlace) {
    release(slot)
    entries[slot].place = place
  }

  /// Forgets the record of a session.
  mutating func dropRecord(_ slot: Int) {
    release(slot)
    entries[slot].place = .none
    entries[slot].weight = 0
  }

  private mutating func release(_ slot: Int) {
    if let segment = entries[slot].place.segment {
      segments.kill(entries[slot].weight << 3, in: segment)
    }
  }

  /// How much a record of so many bytes counts, in steps of eight bytes.
  static func weight(_ size: Int) -> Int { (size + 7) >> 3 }

  // MARK: - Damage

  /// Remembers what is wrong with a session's record until another one is saved.
  mutating func quarantine(_ sid: SessionNumber, _ error: StoreError) {
    guard slot(of: sid) != nil, quarantine.count < Self.quarantineLimit else { return }
    quarantine[sid] = error
  }

  /// What is known to be wrong with a session's record.
  func damage(_ slot: Int) -> StoreError? {
    if !quarantine.isEmpty, let error = quarantine[number(slot)] { return error }
    guard entries[slot].place == .damaged else { return nil }
    return StoreError(
      .damaged, session: entries[slot].identifier,
      "the newest saved state is damaged, and no older one is given in its place.")
  }

  /// Notes that the newest record of a session cannot be read.
  mutating func markDamaged(_ slot: Int, _ error: StoreError) {
    dropRecord(slot)
    entries[slot].place = .damaged
    quarantine(number(slot), error)
  }
}
