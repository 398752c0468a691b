// SPDX-License-Identifier: Apache-2.0

// Who loses its scene first.
extension SessionLedger {
  /// Connected sessions in the background, least recently active first (R-DIS-4).
  ///
  /// - Parameters:
  ///   - count: How many at most.
  ///   - isSpared: Whether a session is no victim all the same.
  ///   - identifier: The identifier of a session; it decides among equals.
  /// - Returns: The sessions, in the order in which they go.
  func pressureVictims(
    count: Int, sparing isSpared: (SessionHandle) -> Bool,
    identifier: (SessionHandle) -> SessionIdentifier
  ) -> [SessionHandle] {
    var victims: [(handle: SessionHandle, lastActivated: UInt64)] = []
    forEachOpen { handle, record in
      if record.state == .background, !isSpared(handle) {
        victims.append((handle, record.lastActivated))
      }
    }
    victims.sort {
      $0.lastActivated != $1.lastActivated
        ? $0.lastActivated < $1.lastActivated : identifier($0.handle) < identifier($1.handle)
    }
    return victims.prefix(max(count, 0)).map(\.handle)
  }
}
