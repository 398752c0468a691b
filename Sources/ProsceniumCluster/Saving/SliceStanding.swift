// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What a node owns, and behind which fence it may write.
  package struct SliceStanding: Sendable, Equatable {
    package var node: Int32
    package var fence: Int32
    /// The epoch of each slice that is the node's.
    package var epochs: [UInt32?]

    package init(_ map: ClusterMap, of node: Int32) {
      self.node = node
      fence = map.fence
      epochs = map.slices.map { $0.owner == node ? $0.epoch : nil }
    }
  }
#endif
