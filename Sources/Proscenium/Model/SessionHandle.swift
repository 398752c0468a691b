// SPDX-License-Identifier: Apache-2.0

/// Where an open session is: its shard and its slot there, in 32 bits.
///
/// A slot is given to another session only after the discard of its last one has run to the end, so
/// that a handle in a queue always means the session that it was queued for.
package struct SessionHandle: Sendable, Hashable, RawRepresentable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  init(slot: Int, shard: Int, shardBits: Int) {
    rawValue = UInt32(slot << shardBits | shard)
  }

  @inline(__always)
  func shard(_ shardBits: Int) -> Int {
    Int(rawValue) & (1 << shardBits - 1)
  }

  @inline(__always)
  func slot(_ shardBits: Int) -> Int {
    Int(rawValue) >> shardBits
  }
}
