// SPDX-License-Identifier: Apache-2.0

/// What the states of one session are sealed with in this opening of the store.
///
/// A connected scene keeps it as the store's note, so that nothing is looked up for a state.
final class SessionSeal: Sendable {
  let sid: SessionNumber
  let sessionKey: SessionKey
  /// The key of the records of this opening.
  let recordKey: RecordKey
  /// The mark of the opening.
  private let mark: UInt64

  init(sid: SessionNumber, sessionKey: SessionKey, in opening: OpeningRow) {
    self.sid = sid
    self.sessionKey = sessionKey
    mark = opening.mark
    recordKey = sessionKey.recordKey(salt: opening.salt)
  }

  /// Whether it is for records of an opening.
  func isGood(in opening: OpeningRow) -> Bool { mark == opening.mark }
}
