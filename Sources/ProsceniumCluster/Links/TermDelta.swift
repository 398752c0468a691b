// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium

  /// What has changed of the terms by which the sessions of a node are found.
  package struct TermDelta: Sendable, Equatable {
    /// How many hashes one has at most.
    package static let limit = 8_192

    /// Whether everything that was known of the node before is of no account.
    package var begins = false
    /// The hashes of terms that came, and of those that went.
    package var entered: [UInt64] = []
    package var left: [UInt64] = []
    /// How many more terms of each shape there are.
    package var shapes: [Count] = []
    /// Slices whose terms were told and are not any more.
    package var gone: [Int] = []
    /// Slices all of whose terms are told by now.
    package var complete: [SliceEpoch] = []

    /// How many more terms of a shape there are, or fewer.
    package struct Count: Sendable, Equatable {
      package let shape: SharedTerm.Shape
      package let difference: Int32

      package init(_ shape: SharedTerm.Shape, _ difference: Int32) {
        (self.shape, self.difference) = (shape, difference)
      }
    }

    package init(begins: Bool = false) {
      self.begins = begins
    }

    /// About how many bytes it has.
    package var size: Int {
      20 + 5 * (entered.count + left.count) + 8 * (shapes.count + complete.count) + 4 * gone.count
    }
  }
#endif
