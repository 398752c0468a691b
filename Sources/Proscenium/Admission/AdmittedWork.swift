// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many requests are unfinished that made work.
struct AdmittedWork: Sendable {
  /// How many may be.
  let limit: Int
  /// Requests that were admitted.
  private(set) var admitted = 0
  /// How many of them were finished when it was last looked at.
  private var finished = 0

  init(limit: Int) {
    self.limit = limit
  }

  mutating func begin() {
    admitted += 1
  }

  /// Whether one more request may be unfinished; the shards count what is finished, and are asked
  /// only if that matters.
  mutating func hasRoom(_ mailboxes: [ShardMailbox]) -> Bool {
    if admitted - finished < limit { return true }
    finished = mailboxes.reduce(0) { $0 + $1.finishedWork.load(ordering: .relaxed) }
    return admitted - finished < limit
  }

  /// Checks that one more request may be unfinished.
  ///
  /// - Throws: `systemBusy`.
  mutating func check(_ mailboxes: [ShardMailbox]) throws(SceneError) {
    guard hasRoom(mailboxes) else {
      throw SceneError(.systemBusy, "\(limit) requests are unfinished; try again later")
    }
  }
}
