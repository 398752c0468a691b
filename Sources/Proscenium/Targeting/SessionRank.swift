// SPDX-License-Identifier: Apache-2.0

/// The place of a session in the tie-break of R-RT-6: the lesser one is chosen.
package struct SessionRank: Sendable, Hashable, Comparable {
  /// R-RT-6 (b): active before inactive before background before archived.
  package enum State: UInt8, Sendable {
    case active, inactive, background, archived
  }

  package var state: State
  /// R-RT-6 (c): the activation counter at the last activation; the larger one comes first.
  package var lastActivated: UInt64

  package init(_ state: State, lastActivated: UInt64) {
    self.state = state
    self.lastActivated = lastActivated
  }

  package static func < (left: Self, right: Self) -> Bool {
    left.state == right.state
      ? left.lastActivated > right.lastActivated : left.state.rawValue < right.state.rawValue
  }
}
