// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// Values by session, found by the hash that identifiers are found by everywhere.
///
/// A dictionary would compute another one, of many steps, for each look, and a load test looks at
/// every connection and every disconnect.
struct SessionMap<Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    let session: SessionIdentifier
    var value: Value
  }

  private var table = HandleTable()
  private var slots: ContiguousArray<Slot> = []

  /// The sessions, in no order.
  var sessions: [SessionIdentifier] { slots.map(\.session) }

  /// The value of a session.
  subscript(session: SessionIdentifier) -> Value? { find(session).map { slots[$0].value } }

  /// Changes the value of a session.
  ///
  /// - Returns: What the function returns; nil if the session is not there.
  mutating func change<Result>(
    _ session: SessionIdentifier, _ body: (inout Value) -> Result
  ) -> Result? {
    guard let slot = find(session) else { return nil }
    return body(&slots[slot].value)
  }

  /// Changes the value of a session that stood in a slot when it was last seen, most likely.
  mutating func change<Result>(
    _ session: SessionIdentifier, near slot: Int, _ body: (inout Value) -> Result
  ) -> Result? {
    guard slot < slots.count, slots[slot].session == session else { return change(session, body) }
    return body(&slots[slot].value)
  }

  /// Changes the value of a session, which is entered with a first one if it is not there.
  ///
  /// - Returns: Where it stands for now, and what the function returns.
  mutating func change<Result>(
    _ session: SessionIdentifier, first value: @autoclosure () -> Value,
    _ body: (inout Value) -> Result
  ) -> (slot: Int, result: Result) {
    if let slot = find(session) { return (slot, body(&slots[slot].value)) }
    let slot = slots.count
    table.insert(UInt32(slot), session.spread)
    slots.append(Slot(session: session, value: value()))
    return (slot, body(&slots[slot].value))
  }

  /// Takes a session out; returns its value.
  mutating func remove(_ session: SessionIdentifier) -> Value? {
    guard let slot = find(session) else { return nil }
    table.remove(UInt32(slot), session.spread)
    let value = slots[slot].value
    // The last one moves into the gap.
    let last = slots.removeLast()
    guard slot < slots.count else { return value }
    table.remove(UInt32(slots.count), last.session.spread)
    table.insert(UInt32(slot), last.session.spread)
    slots[slot] = last
    return value
  }

  private func find(_ session: SessionIdentifier) -> Int? {
    table.find(session.spread) { slots[Int($0)].session == session }.map { Int($0) }
  }
}
