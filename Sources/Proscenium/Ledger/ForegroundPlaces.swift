// SPDX-License-Identifier: Apache-2.0

/// The scene groups of an application and the places in the foreground of each (R-ACTV-2).
///
/// A group with a name exists while it has a session. Without a capacity no session has to give
/// way, and no places are kept. A free place remembers who left it: the next one may only come when
/// that scene has really gone.
struct ForegroundPlaces: Sendable {
  private struct Place: Sendable {
    var occupant: SessionHandle?
    var leaver: SessionHandle?
  }

  private struct Group: Sendable {
    var name: SceneGroup?
    var sessions = 0
    /// Its sessions, if it has a name.
    var members: Set<SessionHandle> = []
    var places: [Place] = []
  }

  /// The index of the group without a name, which most sessions are in.
  static let unnamed: UInt32 = 0

  private let capacity: Int?
  private var groups = [Group()]
  private var indices: [SceneGroup: UInt32] = [:]
  private var freeIndices: [UInt32] = []

  init(capacity: Int?) {
    self.capacity = capacity.map { min(max($0, 1), Int(SessionLedger.Record.noPlace) - 1) }
  }

  /// Counts a session in and returns the group's index.
  mutating func join(_ name: SceneGroup?) -> UInt32 {
    guard let name else {
      groups[Int(Self.unnamed)].sessions += 1
      return Self.unnamed
    }
    if let index = indices[name] {
      groups[Int(index)].sessions += 1
      return index
    }
    let group = Group(name: name, sessions: 1)
    let index: UInt32
    if let free = freeIndices.popLast() {
      index = free
      groups[Int(free)] = group
    } else {
      index = UInt32(groups.count)
      groups.append(group)
    }
    indices[name] = index
    return index
  }

  /// Notes which session was counted in last.
  mutating func enter(_ handle: SessionHandle, in index: UInt32) {
    if index != Self.unnamed { groups[Int(index)].members.insert(handle) }
  }

  /// The sessions of a group, in no order.
  func members(of name: SceneGroup) -> Set<SessionHandle> {
    indices[name].map { groups[Int($0)].members } ?? []
  }

  /// Counts a session out and forgets that it ever left a place; a group without sessions goes.
  mutating func leave(_ index: UInt32, _ handle: SessionHandle) {
    for place in groups[Int(index)].places.indices
    where groups[Int(index)].places[place].leaver == handle {
      groups[Int(index)].places[place].leaver = nil
    }
    if index != Self.unnamed { groups[Int(index)].members.remove(handle) }
    groups[Int(index)].sessions -= 1
    guard groups[Int(index)].sessions == 0 else { return }
    if let name = groups[Int(index)].name {
      indices[name] = nil
      freeIndices.append(index)
    }
    groups[Int(index)] = Group()
  }

  /// Takes a free place of a group for a session, rather one that was not just left.
  mutating func takeFreePlace(
    in group: UInt32, for handle: SessionHandle
  ) -> (place: UInt16, leaver: SessionHandle?)? {
    guard let capacity else { return nil }
    let places = groups[Int(group)].places
    let own = places.firstIndex { $0.occupant == nil && $0.leaver == handle }
    let fresh = places.firstIndex { $0.occupant == nil && $0.leaver == nil }
    if own == nil, fresh == nil, places.count < capacity {
      groups[Int(group)].places.append(Place(occupant: handle))
      return (UInt16(places.count), nil)
    }
    guard let index = own ?? fresh ?? places.firstIndex(where: { $0.occupant == nil }) else {
      return nil
    }
    let leaver = places[index].leaver
    groups[Int(group)].places[index] = Place(occupant: handle)
    return (UInt16(index), leaver == handle ? nil : leaver)
  }

  /// Gives an occupied place to another session.
  mutating func occupy(_ place: UInt16, in group: UInt32, by handle: SessionHandle) {
    groups[Int(group)].places[Int(place)] = Place(occupant: handle)
  }

  /// Frees a place and remembers who left it.
  mutating func vacate(_ place: UInt16, in group: UInt32, leaver: SessionHandle?) {
    groups[Int(group)].places[Int(place)] = Place(leaver: leaver)
  }

  /// The sessions in a group's foreground.
  func occupants(of group: UInt32) -> [SessionHandle] {
    groups[Int(group)].places.compactMap(\.occupant)
  }
}
