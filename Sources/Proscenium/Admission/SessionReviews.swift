// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Has sessions looked at that end if no one uses them, and decides that they end.
struct SessionReviews: Sendable {
  let core: ApplicationCore

  /// Has the sessions looked at that are due, and notes the running time when it is due.
  func post() {
    guard let expiry = core.expiry else { return }
    let directory = core.directory
    let time = expiry.takeDue(refusal: core.writer.lastRefusal) { session, look in
      let slot = Int32(session.slot(directory.shardBits))
      directory.mailbox(session).post(ShardItem(slot: slot, work: .review(look)))
    }
    if let time { core.writer.setRunningTime(time) }
  }

  /// Takes note that sessions were looked at, and that what was seen is on its way to the store.
  func finish(_ count: Int) {
    if let time = core.expiry?.didReview(count) { core.writer.setRunningTime(time) }
  }

  /// Notes the running time at the end, after the last uses.
  func noteRunningTime() {
    if let expiry = core.expiry { core.writer.setRunningTime(expiry.runningTime) }
  }

  /// Decides that a session ends, since no one has used it.
  ///
  /// - Returns: Whether it does: not if anything was admitted for it that has not run.
  func expire(_ slot: Int32, of shard: Int) -> Bool {
    let admitted = core.gate.withLock { gate -> Admitted? in
      guard gate.phase == .running, let idle = core.closeToMessages([slot], shard).first else {
        return nil
      }
      let state = gate.ledger[idle.handle].state
      guard state.isOpen, !state.isForeground else {
        core.directory.setConnected(idle.handle, state.isConnected)
        return nil
      }
      return gate.destroy(idle.session, idle.handle, .expired, Reporting())
    }
    admitted?.sleeper?.wake()
    return admitted != nil
  }
}
