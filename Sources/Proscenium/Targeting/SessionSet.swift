// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The sessions that match together, with the best one at hand.
///
/// Most sets have one member, which needs nothing else; it is at place 0, also when others join it.
/// A member keeps its place until it leaves.
struct SessionSet {
  typealias Identifiers = @Sendable (SessionHandle) -> SessionIdentifier

  /// The member that comes first.
  private(set) var best: Ranked?
  /// All members, once there was more than one.
  private var members: Members?

  var isEmpty: Bool { best == nil }

  /// Takes a member in and returns its place.
  mutating func insert(_ member: Ranked, _ identifier: @escaping Identifiers) -> UInt32 {
    guard let only = best else {
      best = member
      return 0
    }
    if members == nil {
      members = Members(identifier)
      _ = members?.insert(only)
    }
    defer { best = members?.best }
    return members?.insert(member) ?? 0
  }

  /// Puts another member in a place, or the same one that has another rank.
  mutating func update(_ place: UInt32, _ member: Ranked) {
    guard let members else { return best = member }
    members.update(place, member)
    best = members.best
  }

  /// Lets a member go.
  mutating func remove(_ place: UInt32) {
    guard let members else { return best = nil }
    members.remove(place)
    best = members.best
    if best == nil { self.members = nil }
  }

  private final class Members {
    private struct Order: TournamentOrder {
      var places = PagedArray<Ranked?>()
      var identifier: Identifiers

      func isTaken(_ place: Int) -> Bool { place < places.count && places[place] != nil }

      func isBefore(_ place: Int, _ other: Int) -> Bool {
        guard let one = places[place], let two = places[other] else { return false }
        return one.isBefore(two, identifier)
      }
    }

    private var order: Order
    private var tournament = Tournament()
    private var holes: [UInt32] = []

    init(_ identifier: @escaping Identifiers) {
      order = Order(identifier: identifier)
    }

    var best: Ranked? { tournament.winner.flatMap { order.places[$0] } }

    func insert(_ member: Ranked) -> UInt32 {
      let place: UInt32
      if let hole = holes.popLast() {
        place = hole
        order.places[Int(hole)] = member
      } else {
        place = UInt32(order.places.count)
        order.places.append(member)
      }
      tournament.update(Int(place), rose: true, order)
      return place
    }

    func update(_ place: UInt32, _ member: Ranked) {
      let old = order.places[Int(place)]
      let rose = old?.handle == member.handle && old.map { $0.key <= member.key } ?? true
      order.places[Int(place)] = member
      tournament.update(Int(place), rose: rose, order)
    }

    func remove(_ place: UInt32) {
      order.places[Int(place)] = nil
      holes.append(place)
      tournament.update(Int(place), rose: false, order)
    }
  }
}
