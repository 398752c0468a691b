// SPDX-License-Identifier: Apache-2.0

/// Which session was told that an activity of a type will follow (semantics#hand-off).
struct AnnouncedHandoffs: Sendable {
  private var sessions: [String: SessionIdentifier] = [:]

  /// How many types are announced.
  var count: Int { sessions.count }

  /// Notes that a session was told.
  mutating func expect(_ type: String, in session: SessionHandle, _ directory: SessionDirectory) {
    if sessions.count >= Delivery.handoffLimit, sessions[type] == nil {
      // Those of sessions that are gone first; then any, since the data of most will never come.
      sessions = sessions.filter { directory.find($0.value) != nil }
      if sessions.count >= Delivery.handoffLimit, let any = sessions.keys.min() {
        sessions[any] = nil
      }
    }
    sessions[type] = directory.identifier(session)
  }

  /// Takes out the session that waits for the data of an activity.
  mutating func take(_ type: String) -> SessionIdentifier? {
    sessions.removeValue(forKey: type)
  }
}
