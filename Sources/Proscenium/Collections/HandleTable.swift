// SPDX-License-Identifier: Apache-2.0

/// A hash table from identifiers to handles that does not keep the identifiers.
///
/// Each slot holds 32 bits of the identifier's hash and the handle: 8 bytes, so that eight slots
/// share a cache line. Whether a handle with an equal hash really has the identifier is asked of
/// the caller, who has it beside the session's other data. Open addressing with linear probing, at
/// most 7/8 full; removal moves followers back, so that no tombstones pile up.
struct HandleTable: Sendable {
  private var slots: ContiguousArray<UInt64>
  private var mask: Int
  private(set) var count = 0

  init() {
    slots = ContiguousArray(repeating: 0, count: 8)
    mask = 7
  }

  /// Returns the first handle under a hash that the caller recognises.
  @inline(__always)
  func find(
    _ spread: UInt64, where isMatch: (SessionHandle) -> Bool
  ) -> SessionHandle? {
    let fingerprint = UInt32(truncatingIfNeeded: spread)
    var position = Int(fingerprint) & mask
    while true {
      let slot = slots[position]
      if slot == 0 { return nil }
      if UInt32(truncatingIfNeeded: slot >> 32) == fingerprint {
        let handle = SessionHandle(rawValue: UInt32(truncatingIfNeeded: slot) &- 1)
        if isMatch(handle) { return handle }
      }
      position = (position + 1) & mask
    }
  }

  /// Adds a handle under a hash. The caller has made sure that the identifier is not there.
  mutating func insert(_ handle: SessionHandle, _ spread: UInt64) {
    if (count + 1) * 8 > (mask + 1) * 7 { grow() }
    place(Self.slot(handle, spread))
    count += 1
  }

  /// Removes a handle that stands under a hash.
  mutating func remove(_ handle: SessionHandle, _ spread: UInt64) {
    let removed = Self.slot(handle, spread)
    var hole = Int(UInt32(truncatingIfNeeded: spread)) & mask
    while slots[hole] != removed {
      if slots[hole] == 0 { return }
      hole = (hole + 1) & mask
    }
    var next = hole
    while true {
      next = (next + 1) & mask
      let slot = slots[next]
      if slot == 0 { break }
      let home = Int(UInt32(truncatingIfNeeded: slot >> 32)) & mask
      // A follower may fill the hole if its home is not between the hole and itself.
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slot
        hole = next
      }
    }
    slots[hole] = 0
    count -= 1
  }

  private static func slot(_ handle: SessionHandle, _ spread: UInt64) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: spread)) << 32 | UInt64(handle.rawValue &+ 1)
  }

  private mutating func place(_ slot: UInt64) {
    var position = Int(UInt32(truncatingIfNeeded: slot >> 32)) & mask
    while slots[position] != 0 { position = (position + 1) & mask }
    slots[position] = slot
  }

  private mutating func grow() {
    let old = slots
    mask = mask * 2 + 1
    slots = ContiguousArray(repeating: 0, count: mask + 1)
    for slot in old where slot != 0 { place(slot) }
  }
}
