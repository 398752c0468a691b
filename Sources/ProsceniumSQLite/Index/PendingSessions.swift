// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The keys that were made for sessions and are not yet in the file.
///
/// A state is sealed before its session's insertion is committed, so that number and key are made
/// by the first that needs them, and written by the commit. An insertion that never comes leaves
/// its key behind: of too many the oldest are dropped.
struct PendingSessions: Sendable {
  /// A session's key, and the same under the application key.
  struct Key: Sendable {
    let sessionKey: SessionKey
    let wrapped: [UInt8]
  }

  /// A session's number and key.
  struct Session: Sendable {
    let sid: SessionNumber
    /// Nil while the session is inserted without one, because there is no application key.
    let key: Key?
    /// Whether the number is one that only this key has: the session is not inserted.
    let isNew: Bool
  }

  /// How many there can be: more than changes can wait for a commit, so that what is dropped is
  /// never waited for.
  static let limit = 262_144

  private var sessions: [SessionIdentifier: Session] = [:]
  private var order: [SessionIdentifier] = []
  private var first = 0

  /// What was made for a session.
  subscript(identifier: SessionIdentifier) -> Session? {
    sessions.isEmpty ? nil : sessions[identifier]
  }

  /// Adds what was made for a session.
  ///
  /// - Returns: What is dropped to make room.
  mutating func add(
    _ session: Session, for identifier: SessionIdentifier
  ) -> (identifier: SessionIdentifier, session: Session)? {
    sessions[identifier] = session
    order.append(identifier)
    var dropped: (identifier: SessionIdentifier, session: Session)?
    if sessions.count > Self.limit { dropped = dropOldest() }
    if order.count > 2 * sessions.count + 1_024 { compact() }
    return dropped
  }

  /// Takes out what was made for a session.
  mutating func remove(_ identifier: SessionIdentifier) {
    if !sessions.isEmpty { sessions[identifier] = nil }
  }

  private mutating func dropOldest() -> (identifier: SessionIdentifier, session: Session)? {
    while first < order.count {
      defer { first += 1 }
      if let session = sessions.removeValue(forKey: order[first]) {
        return (order[first], session)
      }
    }
    return nil
  }

  /// Takes out of the order what is no longer there.
  private mutating func compact() {
    var seen: Set<SessionIdentifier> = []
    // Of one that was added twice the later place counts.
    order = order[first...].reversed()
      .filter { sessions[$0] != nil && seen.insert($0).inserted }.reversed()
    first = 0
  }
}
