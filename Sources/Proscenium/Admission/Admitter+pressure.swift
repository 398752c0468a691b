// SPDX-License-Identifier: Apache-2.0

// Scenes that a policy disconnects.
extension Admitter {
  /// Decides that a scene is disconnected, after it went to the background if it is not there.
  mutating func disconnect(
    _ victim: Victim, _ reason: LifecycleEvent.Reason
  ) -> Plan {
    let leavesForeground = ledger.enterBackground(victim.handle)
    if leavesForeground { record(.background(victim.session)) }
    ledger.disconnect(victim.handle)
    rank(victim.handle)
    record(.disconnected(victim.session))
    return Plan(
      goal: .disconnected, reason: reason, leavesForeground: leavesForeground,
      decisions: ledger[victim.handle].decisions)
  }
}

/// A session that is to lose its scene.
struct Victim: Sendable {
  let slot: Int32
  let handle: SessionHandle
  let session: SessionIdentifier
  /// Whether it ends by that (R-DC-1).
  let isDestroyed: Bool
}
