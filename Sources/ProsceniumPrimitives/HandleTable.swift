// SPDX-License-Identifier: Apache-2.0

/// A hash table from identifiers to handles that does not keep the identifiers.
///
/// Each slot holds 32 bits of the identifier's hash and the handle: 8 bytes, so that eight slots
/// share a cache line. Whether a handle with an equal hash really has the identifier is asked of
/// the caller, who has it with the session's other data. Open addressing with linear probing, at
/// most 7/8 full; removal moves followers back, so that no tombstones pile up.
public struct HandleTable: Sendable {
  @usableFromInline var slots: ContiguousArray<UInt64>
  /// The number of handles.
  public var count: Int { handleCount }

  @usableFromInline var handleCount = 0

  /// Creates an empty table.
  @inlinable
  public init() {
    slots = ContiguousArray(repeating: 0, count: 4)
  }

  /// Returns the first handle under a hash that the caller recognises.
  @inlinable
  @inline(__always)
  public func find(
    _ hash: UInt64, where isMatch: (UInt32) -> Bool
  ) -> UInt32? {
    let fingerprint = UInt32(truncatingIfNeeded: hash)
    var position = home(of: fingerprint)
    while true {
      let slot = slots[position]
      if slot == 0 { return nil }
      if UInt32(truncatingIfNeeded: slot >> 32) == fingerprint {
        let handle = UInt32(truncatingIfNeeded: slot) &- 1
        if isMatch(handle) { return handle }
      }
      position = next(position)
    }
  }

  /// Makes room for as many handles, and no more, if there is less: for a table that is filled from
  /// a source of known size.
  @inlinable
  public mutating func reserve(_ handleCount: Int) {
    guard count == 0, handleCount * 8 > slots.count * 7 else { return }
    slots = ContiguousArray(repeating: 0, count: handleCount * 8 / 7 + 4)
  }

  /// Adds a handle under a hash.
  ///
  /// The caller has made sure that the identifier is not there.
  @inlinable
  public mutating func insert(_ handle: UInt32, _ hash: UInt64) {
    if (count + 1) * 8 > slots.count * 7 { grow() }
    place(Self.slot(handle, hash))
    handleCount += 1
  }

  /// Removes a handle that is under a hash.
  @inlinable
  public mutating func remove(_ handle: UInt32, _ hash: UInt64) {
    let removed = Self.slot(handle, hash)
    var hole = home(of: UInt32(truncatingIfNeeded: hash))
    while slots[hole] != removed {
      if slots[hole] == 0 { return }
      hole = next(hole)
    }
    var follower = next(hole)
    while slots[follower] != 0 {
      let slot = slots[follower]
      let home = home(of: UInt32(truncatingIfNeeded: slot >> 32))
      // A follower may fill the hole unless its home lies behind the hole.
      if distance(from: home, to: follower) >= distance(from: hole, to: follower) {
        slots[hole] = slot
        hole = follower
      }
      follower = next(follower)
    }
    slots[hole] = 0
    handleCount -= 1
  }

  @inlinable
  static func slot(_ handle: UInt32, _ hash: UInt64) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: hash)) << 32 | UInt64(handle &+ 1)
  }

  /// The first place of a hash: its share of the whole table.
  @inlinable
  @inline(__always)
  func home(of fingerprint: UInt32) -> Int {
    Int(truncatingIfNeeded: (UInt64(fingerprint) &* UInt64(slots.count)) >> 32)
  }

  @inlinable
  @inline(__always)
  func next(_ position: Int) -> Int {
    position + 1 == slots.count ? 0 : position + 1
  }

  @inlinable
  func distance(from first: Int, to last: Int) -> Int {
    last >= first ? last - first : last - first + slots.count
  }

  @inlinable
  mutating func place(_ slot: UInt64) {
    var position = home(of: UInt32(truncatingIfNeeded: slot >> 32))
    while slots[position] != 0 { position = next(position) }
    slots[position] = slot
  }

  /// Makes the table larger: twice as large while it is small, later by a quarter or less.
  ///
  /// With the header of an array its size is one of those that allocators have a class for: four
  /// between two powers of two. Doubling would leave a large table half empty.
  @inlinable
  mutating func grow() {
    let old = slots
    let size = old.count + 4
    let powerOfTwo = 1 << (Int.bitWidth - 1 - size.leadingZeroBitCount)
    slots = ContiguousArray(
      repeating: 0, count: size + (size < 256 ? size : powerOfTwo / 4) - 4)
    for slot in old where slot != 0 { place(slot) }
  }
}
