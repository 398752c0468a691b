// SPDX-License-Identifier: Apache-2.0

import Proscenium

// Scenes are released, and sessions end.
extension SimulationModel {
  /// Takes note of a scene that was released.
  mutating func release(_ number: Int, _ reason: LifecycleEvent.Reason) {
    let session = sessions[number]
    expect(!session.isConnected, "the scene of session \(number) was released, and was not told")
    switch reason {
    case .pressure, .idle:
      expect(!session.wasExtended, "a policy took session \(number), which restores its state")
      expect(!session.isKeeping, "a policy took session \(number), which wants to stay")
    default: break
    }
    switch reason {
    case .system, .termination, .pressure, .idle:
      // R-DIS-3: what was marked is captured before the disconnect.
      let hasNothing = session.lastState == nil && all(session.taken .<= 0)
      let isCaptured =
        session.lastState == session.taken || hasNothing || session.isUncaptured
        || AdmissionReplay.Rules.capturesNothing(number)
      expect(isCaptured, "session \(number) was disconnected before its state was captured")
    default: break
    }
  }

  /// Takes note of something that was accepted and is lost.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - number: The session.
  ///   - isClosing: Whether the application ends, which connects no further session.
  mutating func lose(_ message: NumberedMessage, _ number: Int, isClosing: Bool) {
    guard message.number > 0 else { return }
    let session = sessions[number]
    expect(
      !session.isOpen || session.isUnreadable || isClosing,
      "\(message) is lost, and the session is open")
    sessions[number].lost[message.sender] += 1
  }

  /// Takes note of the end of a session.
  mutating func discard(_ number: Int, _ reason: LifecycleEvent.Reason) {
    let session = sessions[number]
    expect(!session.isDiscarded, "session \(number) was discarded twice")
    expect(!session.isConnected, "session \(number) was discarded while its scene was connected")
    let wasPending = pendingDiscards.remove(number) != nil
    if case .whileNotRunning = reason {
      expect(wasPending, "session \(number) was not discarded while nothing ran")
      coverage.add(.transition, "discarded while not running")
    }
    if case .expired = reason { checkExpiry(number) }
    coverage.add(.transition, "open > discarded")
    sessions[number].isDiscarded = true
    sessions[number].owesDiscard = false
    sessions[number].isOpen = false
  }
}
