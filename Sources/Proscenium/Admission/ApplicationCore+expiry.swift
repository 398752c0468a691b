// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Sessions that no one uses end.
extension ApplicationCore {
  /// Has the sessions looked at that are due, and notes the running time when it is due.
  func postReviews() {
    guard let expiry else { return }
    let time = expiry.takeDue(refusal: writer.lastRefusal) { session, look in
      let slot = Int32(session.slot(directory.shardBits))
      directory.mailbox(session).post(ShardItem(slot: slot, work: .review(look)))
    }
    if let time { writer.setRunningTime(time) }
  }

  /// Takes note that sessions were looked at, and that what was seen is on its way to the store.
  func didReview(_ count: Int) {
    if let time = expiry?.didReview(count) { writer.setRunningTime(time) }
  }

  /// Notes the running time at the end, after the last uses.
  func noteRunningTime() {
    if let expiry { writer.setRunningTime(expiry.runningTime) }
  }

  /// Decides that a session ends, since no one has used it.
  ///
  /// - Returns: Whether it does: not if anything was admitted for it that has not run.
  func expire(_ slot: Int32, of shard: Int) -> Bool {
    let admitted = gate.withLock { gate -> Admitted? in
      guard gate.phase == .running,
        let idle = closeToMessages([slot], shard).first
      else { return nil }
      let state = gate.ledger[idle.handle].state
      guard state.isOpen, !state.isForeground else {
        directory.setConnected(idle.handle, state.isConnected)
        return nil
      }
      return gate.destroy(idle.session, idle.handle, .expired, Reporting())
    }
    guard let admitted else { return false }
    admitted.sleeper?.wake()
    return true
  }
}
