// SPDX-License-Identifier: Apache-2.0

public import CProscenium

/// A hash table from identifiers to handles that does not keep the identifiers.
///
/// Each slot holds 32 bits of the identifier's hash and the handle: 8 bytes, so that eight slots
/// share a cache line. Whether a handle with an equal hash really has the identifier is asked of
/// the caller, who has it beside the session's other data. Open addressing with linear probing, at
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
    _ spread: UInt64, where isMatch: (UInt32) -> Bool
  ) -> UInt32? {
    let fingerprint = UInt32(truncatingIfNeeded: spread)
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

  /// Asks the processor to fetch what a look-up under a hash goes through.
  ///
  /// Where many are looked up in turn, waiting for memory is thus paid once for several.
  @inlinable
  @inline(__always)
  public func prefetch(_ spread: UInt64) {
    unsafe slots.withUnsafeBufferPointer { slots in
      let place = home(of: UInt32(truncatingIfNeeded: spread))
      unsafe proscenium_prefetch_read(slots.baseAddress.unsafelyUnwrapped + place)
    }
  }

  /// The handle that stands where a hash would stand if nothing stood in its way, or `nil`.
  @inlinable
  @inline(__always)
  public func first(_ spread: UInt64) -> UInt32? {
    let slot = slots[home(of: UInt32(truncatingIfNeeded: spread))]
    return slot == 0 ? nil : UInt32(truncatingIfNeeded: slot) &- 1
  }

  /// Makes room for as many handles, and no more, if there is less: for a table that is filled from
  /// a source of known size.
  @inlinable
  public mutating func reserve(_ handleCount: Int) {
    guard count == 0, handleCount * 8 > slots.count * 7 else { return }
    slots = ContiguousArray(repeating: 0, count: handleCount * 8 / 7 + 4)
  }

  /// Takes all handles out; the room stays.
  @inlinable
  public mutating func removeAll() {
    for index in slots.indices { slots[index] = 0 }
    handleCount = 0
  }

  /// Adds a handle under a hash.
  ///
  /// The caller has made sure that the identifier is not there.
  @inlinable
  public mutating func insert(_ handle: UInt32, _ spread: UInt64) {
    if (count + 1) * 8 > slots.count * 7 { grow() }
    place(Self.slot(handle, spread))
    handleCount += 1
  }

  /// Removes a handle that stands under a hash.
  @inlinable
  public mutating func remove(_ handle: UInt32, _ spread: UInt64) {
    let removed = Self.slot(handle, spread)
    var hole = home(of: UInt32(truncatingIfNeeded: spread))
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
  static func slot(_ handle: UInt32, _ spread: UInt64) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: spread)) << 32 | UInt64(handle &+ 1)
  }

  /// Where a hash would stand if nothing stood in its way: its share of the whole table.
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
