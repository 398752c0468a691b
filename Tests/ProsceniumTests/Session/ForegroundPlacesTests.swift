// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

@Suite struct ForegroundPlacesTests {
  private let one = SessionHandle(rawValue: 1)
  private let two = SessionHandle(rawValue: 2)
  private let three = SessionHandle(rawValue: 3)

  @Test func `without a capacity no places are kept`() {
    var places = ForegroundPlaces(capacity: nil)
    let group = places.join(nil)
    #expect(!places.hasPlace(for: one, in: group))
    #expect(places.occupants(of: group) == [])
  }

  @Test func `places are taken up to the capacity`() throws {
    var places = ForegroundPlaces(capacity: 2)
    let group = places.join(nil)
    let first = try places.take(one, in: group)
    let second = try places.take(two, in: group)
    #expect(first.place != second.place)
    #expect(first.leaver == nil && second.leaver == nil)
    #expect(!places.hasPlace(for: three, in: group))
    #expect(places.occupants(of: group) == [one, two])
  }

  @Test(arguments: [Int.min, -1, 0, 1])
  func `a capacity is at least one`(capacity: Int) throws {
    var places = ForegroundPlaces(capacity: capacity)
    let group = places.join(nil)
    _ = try places.take(one, in: group)
    #expect(!places.hasPlace(for: two, in: group))
  }

  @Test func `a place remembers who left it`() throws {
    var places = ForegroundPlaces(capacity: 1)
    let group = places.join(nil)
    let first = try places.take(one, in: group)
    places.vacate(first.place, in: group, leaver: one)
    #expect(places.occupants(of: group) == [])
    let second = try places.take(two, in: group)
    #expect(second.leaver == one)
    #expect(places.occupants(of: group) == [two])
  }

  @Test func `a session that comes back to its own place waits for no other`() throws {
    var places = ForegroundPlaces(capacity: 1)
    let group = places.join(nil)
    let first = try places.take(one, in: group)
    places.vacate(first.place, in: group, leaver: one)
    let again = try places.take(one, in: group)
    #expect(again.place == first.place)
    #expect(again.leaver == nil)
  }

  @Test func `a place that no session has just left is preferred`() throws {
    var places = ForegroundPlaces(capacity: 2)
    let group = places.join(nil)
    let first = try places.take(one, in: group)
    places.vacate(first.place, in: group, leaver: one)
    let second = try places.take(two, in: group)
    #expect(second.place != first.place)
    #expect(second.leaver == nil)
  }

  @Test func `a session that is gone left no place`() throws {
    var places = ForegroundPlaces(capacity: 1)
    let group = places.join(nil)
    _ = places.join(nil)
    let first = try places.take(one, in: group)
    places.vacate(first.place, in: group, leaver: one)
    places.leave(group, one)
    let second = try places.take(two, in: group)
    #expect(second.leaver == nil)
  }

  @Test func `an occupied place is handed over`() throws {
    var places = ForegroundPlaces(capacity: 1)
    let group = places.join(nil)
    let first = try places.take(one, in: group)
    places.occupy(first.place, in: group, by: two)
    #expect(places.occupants(of: group) == [two])
  }

  @Test func `groups have places of their own (R-ACTV-2)`() throws {
    var places = ForegroundPlaces(capacity: 1)
    let ann = places.join("ann")
    let bob = places.join("bob")
    #expect(ann != bob)
    _ = try places.take(one, in: ann)
    _ = try places.take(two, in: bob)
    #expect(places.occupants(of: ann) == [one])
    #expect(places.occupants(of: bob) == [two])
  }

  @Test func `a group exists while it has a session`() {
    var places = ForegroundPlaces(capacity: 1)
    let ann = places.join("ann")
    let again = places.join("ann")
    places.leave(ann, one)
    let third = places.join("ann")
    #expect([again, third] == [ann, ann])
    places.leave(ann, one)
    places.leave(ann, two)
    // The index is free now; the next group gets it, with none of the old places.
    let bob = places.join("bob")
    #expect(bob == ann)
    #expect(places.occupants(of: bob) == [])
    let later = places.join("ann")
    #expect(later != bob)
  }

  @Test func `the group without a name keeps its index, but no leaver`() throws {
    var places = ForegroundPlaces(capacity: 1)
    let group = places.join(nil)
    #expect(group == ForegroundPlaces.unnamed)
    let first = try places.take(one, in: group)
    places.vacate(first.place, in: group, leaver: one)
    places.leave(group, two)
    let ann = places.join("ann")
    #expect(ann != group)
    let again = places.join(nil)
    #expect(again == group)
    let second = try places.take(two, in: again)
    #expect(second.leaver == nil)
  }
}

extension ForegroundPlaces {
  fileprivate mutating func take(
    _ handle: SessionHandle, in group: UInt32
  ) throws -> (place: UInt16, leaver: SessionHandle?) {
    let taken = takeFreePlace(in: group, for: handle)
    return try #require(taken)
  }

  fileprivate func hasPlace(for handle: SessionHandle, in group: UInt32) -> Bool {
    var copy = self
    return copy.takeFreePlace(in: group, for: handle) != nil
  }
}
