// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What a scene left that was disconnected.
struct DepartedState: Sendable {
  let session: SessionHandle
  let identifier: SessionIdentifier
  let details: SessionDetails
  /// Tells it from what other scenes of the session left, which may have left the same.
  let departure: UInt32
}

extension ApplicationCore {
  /// Lets saved states go from memory that the store has by now, unless something has happened to
  /// them since.
  func forget(_ states: [DepartedState]) {
    for state in states {
      let slot = state.session.slot(directory.shardBits)
      directory.mailbox(state.session).state.withLock { shared in
        // Only what was left last: the store has not got it before.
        guard shared.departures[Int32(slot)] == state.departure else { return }
        shared.departures[Int32(slot)] = nil
        guard shared.entries[slot].identifier == state.identifier,
          shared.entries[slot].scene == nil, !shared.entries[slot].flags[.isStateWanted],
          shared.entries[slot].details.isIdentical(to: state.details)
        else { return }
        shared.entries[slot].details = state.details.withoutState
        shared.entries[slot].flags[.isStateStored] = true
      }
    }
  }
}
