// SPDX-License-Identifier: Apache-2.0

// Sessions end if no one uses them, and only then.
extension SimulationModel {
  /// Takes note that a session is used.
  ///
  /// What clients do once a life is over is kept by no one.
  mutating func use(_ number: Int) {
    if !isOver, sessions.indices.contains(number) { sessions[number].lastUse = time }
  }

  /// Takes note that the messages which are acknowledged are durable, and that they were uses.
  mutating func keepUse(of number: Int) {
    let session = sessions[number]
    for client in 0..<Self.clientLimit
    where session.acknowledged[client] == session.taken[client] && session.taken[client] > 0 {
      sessions[number].durableUse = max(session.durableUse, session.takenAt[client])
    }
  }

  /// Takes note that scenes are seen no longer, since the process ends.
  mutating func leaveForeground() {
    for number in sessions.indices where rules.isSeen(sessions[number].state) { use(number) }
  }

  /// Takes note that the end of a session is decided.
  mutating func endUse(_ number: Int, isAttended: Bool) {
    let session = sessions[number]
    sessions[number].end = (isAttended || rules.isSeen(session.state), time - session.lastUse)
  }

  /// Checks the end of a session that was not used.
  mutating func checkExpiry(_ number: Int) {
    coverage.add(.line, "expired")
    guard let limit = rules.expiry, let end = sessions[number].end else {
      return find("session \(number) has expired, and sessions do not")
    }
    if end.isInUse { find("session \(number) has expired, and was in use") }
    if end.unused < limit { find("session \(number) has expired after \(end.unused)") }
  }
}

extension SimulationModel.Rules {
  /// Whether a user sees a scene; in UIKit's snapshot pass, which is no use, one enters the
  /// foreground as well.
  func isSeen(_ state: SceneState) -> Bool { state == .active || state == .inactive && !dances }
}
