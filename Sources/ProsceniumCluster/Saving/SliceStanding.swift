// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// What a node owns, and behind which fence it may write.
  package struct SliceStanding: Sendable, Equatable {
    package var node: Int32
    package var fence: Int32
    /// The epoch of each slice that is the node's.
    package var epochs: [UInt32?]
    /// The mark of each slice that is the node's: an epoch can come again, and a mark does not.
    package var marks: [Int64?]
    /// The epoch of each slice.
    private var latest: [UInt32]

    package init(_ map: ClusterMap, of node: Int32) {
      self.node = node
      fence = map.fence
      epochs = map.slices.map { $0.owner == node ? $0.epoch : nil }
      marks = map.slices.map { $0.owner == node ? $0.mark : nil }
      latest = map.slices.map(\.epoch)
    }

    /// What has become of a slice since the node has committed something in an epoch of it.
    ///
    /// - Parameters:
    ///   - slice: The slice.
    ///   - epoch: The epoch.
    ///   - isContinued: Whether the node has had the slice ever since.
    /// - Returns: What has become of it.
    func change(of slice: Int, since epoch: UInt32, isContinued: Bool) -> RecentCommits.Change {
      // Epochs grow with each owner: one that comes again was undone.
      if epochs[slice] == epoch { return isContinued ? .none : .undone }
      return latest[slice] < epoch ? .undone : .owner
    }
  }
#endif
