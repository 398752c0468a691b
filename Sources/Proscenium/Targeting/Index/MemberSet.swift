// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Several sessions that match together, and which of them comes first; for the writer.
///
/// A member keeps its place until it leaves.
final class MemberSet {
  private struct Order: TournamentOrder {
    var handles = PagedArray<UInt32>()
    var keys = PagedArray<UInt64>()
    var identifier: @Sendable (SessionHandle) -> SessionIdentifier

    func isTaken(_ place: Int) -> Bool {
      place < handles.count && handles[place] != Posting.none
    }

    func isBefore(_ place: Int, _ other: Int) -> Bool {
      let key = keys[place]
      let otherKey = keys[other]
      if key != otherKey { return key > otherKey }
      return identifier(SessionHandle(rawValue: handles[place]))
        < identifier(SessionHandle(rawValue: handles[other]))
    }
  }

  private var order: Order
  private var tournament = Tournament()
  private var holes: [UInt32] = []

  init(identifier: @escaping @Sendable (SessionHandle) -> SessionIdentifier) {
    order = Order(identifier: identifier)
  }

  var isEmpty: Bool { holes.count == order.handles.count }

  /// The member that comes first.
  var best: UInt32 {
    tournament.winner.map { order.handles[$0] } ?? Posting.none
  }

  /// Takes a member in and returns its place.
  func insert(_ handle: UInt32, _ word: StandingWord) -> UInt32 {
    let place: UInt32
    if let hole = holes.popLast() {
      place = hole
      order.handles[Int(hole)] = handle
      order.keys[Int(hole)] = word.key
    } else {
      place = UInt32(order.handles.count)
      order.handles.append(handle)
      order.keys.append(word.key)
    }
    tournament.update(Int(place), rose: true, order)
    return place
  }

  /// Puts another member in a place, or the same one that has moved in the order.
  func update(_ place: UInt32, _ handle: UInt32, _ word: StandingWord) {
    let rose = order.handles[Int(place)] == handle && order.keys[Int(place)] <= word.key
    order.handles[Int(place)] = handle
    order.keys[Int(place)] = word.key
    tournament.update(Int(place), rose: rose, order)
  }

  /// Lets a member go.
  func remove(_ place: UInt32) {
    order.handles[Int(place)] = Posting.none
    holes.append(place)
    tournament.update(Int(place), rose: false, order)
  }
}
