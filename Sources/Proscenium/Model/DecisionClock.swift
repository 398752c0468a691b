// SPDX-License-Identifier: Apache-2.0

/// How many decisions were taken about one session: the time by which admission and the session's
/// shard tell whether something was decided since.
///
/// Admission decides at once and the shard carries out later, so that the two see a session at
/// different times. Each decision about a session is one tick of its clock, and everything that
/// follows from the decision carries the reading:
///
/// | holder | reads |
/// |---|---|
/// | `SessionLedger.Record.decisions` | the clock itself: what is decided so far |
/// | `Plan.decisions` | the decision that the plan carries out |
/// | `SessionLedger.Partner.decisions` | the decision by which a victim gives way |
/// | `Scene.decisions` | the decision that connected the scene |
/// | ``CarriedDecisions`` | what is carried out about a session that has no scene |
/// | `ShardMailbox.Entry`, for a refresh | the plan that fulfils the pending refresh |
///
/// Nearly always plans are carried out in their order and nothing is compared. Clocks are needed
/// where something ends otherwise than it was decided: a restoration took too long, a saved state
/// cannot be read, a configuration failed. Then
///
/// - what was decided *since* holds: the ledger changes a session only if its clock still reads as
///   the plan does (`expire`, `returnPlace`, `archive`);
/// - a plan that was to bring the session back (``Plan/isRepeated``) is void once a later decision
///   was carried out;
/// - a message that was accepted before connects the session again as of what is carried out by
///   then (`Admitter.reconnect`).
///
/// The clock of a slot goes on with its next session, so that nothing that names an earlier one is
/// taken for the present one. It wraps around: of two readings less than 2^31 ticks apart the later
/// one is known.
package struct DecisionClock: Sendable, Hashable {
  /// The reading.
  package private(set) var count: UInt32 = 0

  /// Takes a decision.
  mutating func tick() {
    count &+= 1
  }

  /// Goes on from a later reading that was seen; an earlier one changes nothing.
  mutating func see(_ other: DecisionClock) {
    if other.isLater(than: self) { self = other }
  }

  /// The reading after the next decision.
  var next: DecisionClock { DecisionClock(count: count &+ 1) }

  /// Whether something was decided between the two readings.
  func isLater(than other: DecisionClock) -> Bool {
    Int32(bitPattern: count &- other.count) > 0
  }
}

/// The decisions that a shard has carried out about sessions without a scene, as long as something
/// that is queued may count on a scene: what was decided later is not to be touched for it.
struct CarriedDecisions: Sendable {
  private var readings: [Int32: DecisionClock] = [:]

  /// The last one about the session in a slot, if it is kept.
  subscript(slot: Int32) -> DecisionClock? { readings.isEmpty ? nil : readings[slot] }

  /// Notes a decision as carried out.
  ///
  /// It never goes back: a time-out counts before what was queued in front of it.
  mutating func note(_ decisions: DecisionClock, _ slot: Int32) {
    readings[slot, default: decisions].see(decisions)
  }

  /// Forgets a session: it has a scene again, or is over.
  mutating func forget(_ slot: Int32) {
    if !readings.isEmpty { readings[slot] = nil }
  }
}
