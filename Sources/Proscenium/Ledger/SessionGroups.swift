// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The index of each session's group, by shard and slot.
///
/// The sessions of most programs are in the group without a name, and take no memory here.
struct SessionGroups: Sendable {
  private let shardBits: Int
  private var indices: [PagedArray<UInt32>]

  init(shardBits: Int) {
    self.shardBits = shardBits
    indices = Array(repeating: PagedArray(), count: 1 << shardBits)
  }

  subscript(handle: SessionHandle) -> UInt32 {
    get {
      let (shard, slot) = (handle.shard(shardBits), handle.slot(shardBits))
      return slot < indices[shard].count ? indices[shard][slot] : ForegroundPlaces.unnamed
    }
    set {
      let (shard, slot) = (handle.shard(shardBits), handle.slot(shardBits))
      if newValue == self[handle] { return }
      while indices[shard].count <= slot { indices[shard].append(ForegroundPlaces.unnamed) }
      indices[shard][slot] = newValue
    }
  }
}
