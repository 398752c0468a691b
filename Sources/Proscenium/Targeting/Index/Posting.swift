// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The sessions that match together, with the best one at hand for readers.
///
/// Most postings have one member, which needs nothing beside its handle; it stands at place 0, also
/// when others join it.
struct Posting: ~Copyable {
  static let none = UInt32.max

  /// The handle of the member that comes first, or `none`.
  let best = Atomic<UInt32>(Posting.none)
  /// The address of the members, counted as a reference to them, or zero.
  private let set = Atomic<UInt>(0)

  init() {}

  deinit {
    members = nil
  }

  var isEmpty: Bool { best.load(ordering: .relaxed) == Self.none }

  /// For the writer: the members, once there was more than one.
  private var members: MemberSet? {
    get {
      let address = unsafe UnsafeRawPointer(bitPattern: set.load(ordering: .relaxed))
      guard let address = unsafe address else { return nil }
      return unsafe Unmanaged<MemberSet>.fromOpaque(address).takeUnretainedValue()
    }
    nonmutating set {
      let new = newValue.map { unsafe UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
      let old = set.exchange(new ?? 0, ordering: .relaxed)
      guard let address = unsafe UnsafeRawPointer(bitPattern: old) else { return }
      unsafe Unmanaged<MemberSet>.fromOpaque(address).release()
    }
  }

  /// Takes a member in and returns its place.
  func insert(_ handle: UInt32, _ router: ContentRouter) -> UInt32 {
    let only = best.load(ordering: .relaxed)
    if members == nil {
      if only == Self.none {
        best.store(handle, ordering: .releasing)
        return 0
      }
      let set = MemberSet(identifier: router.identifier)
      _ = set.insert(only, router.word(only))
      members = set
    }
    guard let members else { return 0 }
    let place = members.insert(handle, router.word(handle))
    publish(members.best)
    return place
  }

  /// Puts another member in a place, or the same one that has moved in the order.
  func update(_ place: UInt32, _ handle: UInt32, _ router: ContentRouter) {
    guard let members else { return publish(handle) }
    members.update(place, handle, router.word(handle))
    publish(members.best)
  }

  /// Lets a member go.
  func remove(_ place: UInt32) {
    guard let members else { return publish(Self.none) }
    members.remove(place)
    publish(members.best)
    if members.isEmpty { self.members = nil }
  }

  private func publish(_ handle: UInt32) {
    // Not stored again: the line stays with those who read it.
    if best.load(ordering: .relaxed) != handle { best.store(handle, ordering: .releasing) }
  }
}
