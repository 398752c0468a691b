// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// How many sessions are connected again at once, and what that makes of commands.
extension Admitter {
  /// Notes that a session is about to be connected again, if it may.
  ///
  /// - Returns: The turn to wait for, if the request waits for one, or nil if it may begin.
  /// - Throws: `systemBusy`.
  mutating func beginReconnection(
    _ handle: SessionHandle, _ reconnecting: Reconnecting
  ) throws(SceneError) -> TurnTicket? {
    switch reconnecting {
    case .free: return nil
    case .has(let turn):
      reconnections.use(turn)
      return nil
    case .asks, .waits:
      if reconnections.takeRoom(at: writer.now, directory.countReconnections) { return nil }
    }
    let refusal = SceneError(
      .systemBusy, session: directory.identifier(handle),
      "\(reconnections.underWay) sessions are being connected again, and"
        + " \(reconnections.waitingCount) wait for it; try again later",
      retryAfter: reconnections.retryAfter(at: writer.now))
    let ticket = TurnTicket()
    guard case .waits = reconnecting,
      reconnections.wait(ticket, recency: ledger[handle].lastActivated)
    else { throw refusal }
    record(.refused(refusal))
    return ticket
  }
}
