// SPDX-License-Identifier: Apache-2.0

/// One decision, as it was taken: what a replay needs to take it again.
package enum AdmissionRecord: Sendable {
  /// A session was admitted to the foreground.
  case activated(
    SessionIdentifier, isNew: Bool, group: SceneGroup?, requester: SessionIdentifier?,
    event: SceneEvent?, victim: SessionIdentifier?)
  /// A session was admitted to the background.
  case background(SessionIdentifier)
  /// An interruption began.
  case interrupted(SessionIdentifier)
  /// An interruption ended.
  case resumed(SessionIdentifier)
  /// A scene was given up.
  case disconnected(SessionIdentifier)
  /// A session was ended.
  case destroyed(SessionIdentifier)
  /// A refresh was admitted; with the count of decisions about the session.
  case refreshed(SessionIdentifier, decisions: UInt32)
  /// The session's refresh that was recorded last was dropped by the decision before this.
  case refreshDropped(SessionIdentifier)
  /// An archived session was connected in the background, for a message or by the launch.
  case connected(SessionIdentifier)
  /// A session that is to have a scene anyway gets it early, for a message that counted on the
  /// scene of a refresh which was dropped; with the count of decisions that were carried out.
  case reconnected(SessionIdentifier, after: UInt32)
  /// A wake of a session is due.
  case woken(SessionIdentifier)
  /// A new session's configuration cannot be used; the victim leaves, or keeps its place.
  case failed(SessionIdentifier, victimLeaves: Bool)
  /// A command was refused.
  case refused(SceneError)
}
