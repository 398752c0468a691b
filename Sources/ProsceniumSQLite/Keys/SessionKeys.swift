// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// The keys of the sessions that were last sealed for or restored.
///
/// Deriving a key costs more than sealing with it, so that the keys of connected sessions stay
/// here. Of too many those are dropped that were not asked for since they were last passed over.
final class SessionKeys: Sendable {
  /// A part of the keys behind a lock of its own.
  private final class Part: Sendable {
    let shelf: Guarded<KeyShelf>

    init(capacity: Int) {
      shelf = Guarded(KeyShelf(capacity: capacity))
    }
  }

  private static let partBits: UInt64 = 6
  private let parts: [Part]

  /// Creates an empty collection for at most so many sessions.
  init(capacity: Int) {
    let partCount = 1 << Int(Self.partBits)
    parts = (0..<partCount).map { _ in Part(capacity: max(1, capacity / partCount)) }
  }

  /// What a session's states are sealed with, if it is at hand.
  func find(_ session: SessionIdentifier) -> SessionSeal? {
    part(of: session).shelf.withLock { $0.find(session) }
  }

  /// Remembers a session's keys.
  func remember(_ session: SessionIdentifier, _ seal: SessionSeal) {
    part(of: session).shelf.withLock { $0.remember(session, seal) }
  }

  /// Forgets a session's keys.
  func forget(_ session: SessionIdentifier) {
    part(of: session).shelf.withLock { $0.forget(session) }
  }

  /// Forgets all keys.
  func forgetAll() {
    for part in parts { part.shelf.withLock { $0.forgetAll() } }
  }

  private func part(of session: SessionIdentifier) -> Part {
    parts[Int(session.spread >> (64 - Self.partBits))]
  }
}

/// Keys by session, as many as there is room for.
struct KeyShelf: Sendable {
  private struct Slot: Sendable {
    let session: SessionIdentifier
    var seal: SessionSeal
    var wasAskedFor: Bool
  }

  private let capacity: Int
  private var table = HandleTable()
  private var slots: ContiguousArray<Slot> = []
  private var hand = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  private func slot(of session: SessionIdentifier) -> Int? {
    table.find(session.spread) { slots[Int($0)].session == session }.map { Int($0) }
  }

  mutating func find(_ session: SessionIdentifier) -> SessionSeal? {
    guard let slot = slot(of: session) else { return nil }
    slots[slot].wasAskedFor = true
    return slots[slot].seal
  }

  mutating func remember(_ session: SessionIdentifier, _ seal: SessionSeal) {
    if let slot = slot(of: session) {
      slots[slot].seal = seal
      return
    }
    let slot = Slot(session: session, seal: seal, wasAskedFor: false)
    if slots.count < capacity {
      table.insert(UInt32(slots.count), session.spread)
      slots.append(slot)
      return
    }
    while slots[hand].wasAskedFor {
      slots[hand].wasAskedFor = false
      advance()
    }
    table.remove(UInt32(hand), slots[hand].session.spread)
    table.insert(UInt32(hand), session.spread)
    slots[hand] = slot
    advance()
  }

  mutating func forget(_ session: SessionIdentifier) {
    guard let slot = slot(of: session) else { return }
    table.remove(UInt32(slot), session.spread)
    // The last one moves into the gap.
    let last = slots.removeLast()
    hand = 0
    guard slot < slots.count else { return }
    table.remove(UInt32(slots.count), last.session.spread)
    table.insert(UInt32(slot), last.session.spread)
    slots[slot] = last
  }

  mutating func forgetAll() {
    self = KeyShelf(capacity: capacity)
  }

  private mutating func advance() {
    hand = hand + 1 == slots.count ? 0 : hand + 1
  }
}
