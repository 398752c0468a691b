// SPDX-License-Identifier: Apache-2.0

/// Where a session stands in the tie-break of R-RT-6: the lesser one is chosen.
package struct SessionStanding: Sendable, Hashable, Comparable {
  /// R-RT-6 (b): active before inactive before background before archived.
  package enum Rank: UInt8, Sendable {
    case active, inactive, background, archived
  }

  package var rank: Rank
  /// R-RT-6 (c): the activation counter at the last activation; the larger one comes first.
  package var lastActivated: UInt64

  package init(_ rank: Rank, lastActivated: UInt64) {
    self.rank = rank
    self.lastActivated = lastActivated
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.rank == right.rank
      ? left.lastActivated > right.lastActivated : left.rank.rawValue < right.rank.rawValue
  }
}
