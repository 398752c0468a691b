// SPDX-License-Identifier: Apache-2.0

#if Cluster
  /// A slice and one of its epochs.
  package struct SliceEpoch: Sendable, Equatable {
    package let slice: Int
    package let epoch: UInt32

    package init(slice: Int, epoch: UInt32) {
      (self.slice, self.epoch) = (slice, epoch)
    }
  }
#endif
