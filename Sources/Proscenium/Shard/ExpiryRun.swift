// SPDX-License-Identifier: Apache-2.0

/// What becomes of a session that ends if no one uses it: its uses are noted, and it is looked at.
///
/// What is kept of the last use is never older than an eighth of what the role allows.
struct ExpiryRun {
  let slot: Int32

  init(_ slot: Int32) {
    self.slot = slot
  }

  /// Notes new uses of sessions, and looks at those that are due.
  ///
  /// - Returns: How many were looked at.
  static func carryOut(
    _ reviews: inout [(slot: Int32, look: ExpiryLedger.Look)], in shard: isolated Shard
  ) -> Int {
    let due = reviews
    if !due.isEmpty { reviews = [] }
    noteNewUses(in: shard)
    for (slot, look) in due { ExpiryRun(slot).review(look, in: shard) }
    return due.count
  }

  /// Notes new uses of sessions, to be written with what they have led to.
  ///
  /// - Parameters:
  ///   - leaving: The slot of a session that is handed over: its row goes on, although it is not
  ///     open here any more.
  ///   - shard: The shard.
  static func noteNewUses(of leaving: Int32? = nil, in shard: isolated Shard) {
    for slot in shard.scenes.uses.takeUnnoted() {
      ExpiryRun(slot).noteNewUse(isLeaving: slot == leaving, in: shard)
    }
  }

  /// Notes which sessions were used since they were last looked at: nothing looks at them any more.
  static func noteLastUses(in shard: isolated Shard) {
    guard shard.scenes.watchesUses, !shard.core.isAbandoned else { return }
    let used = shard.scenes.uses.takeAll()
    let attended = shard.lines.slots.filter { slot in
      shard.lines[slot]?.change { $0.takePresence() } ?? false
    }
    for slot in Set(used + attended).sorted() {
      let run = ExpiryRun(slot)
      if let subject = run.subject(in: shard) { run.noteUse(subject, in: shard) }
    }
    shard.scenes.writeChanges()
  }

  /// What has to be known of a session.
  private struct Subject {
    let expiry: SessionExpiry
    let details: SessionDetails
    /// Whether it has a row in the store, or is about to.
    let isVisible: Bool
    let limit: Duration
  }

  /// The session, if it is open, or leaving, and its role has a limit.
  private func subject(isLeaving: Bool = false, in shard: isolated Shard) -> Subject? {
    let entry = shard.core.directory.entry(shard.handle(slot))
    guard let expiry = shard.core.expiry, entry.flags[.isOpen] || isLeaving,
      let limit = expiry.limit(shard.core.catalog.configuration(entry.configuration).role)
    else { return nil }
    return Subject(
      expiry: expiry, details: entry.details, isVisible: entry.flags[.isVisible], limit: limit)
  }

  /// Notes how the session was used, or ends it.
  private func review(_ look: ExpiryLedger.Look, in shard: isolated Shard) {
    guard let subject = subject(in: shard) else { return }
    let (expiry, handle) = (subject.expiry, shard.handle(slot))
    let isUsed = isUsed(in: shard)
    guard let lastUsed = subject.details.lastUsed, !isUsed else {
      noteUse(subject, in: shard)
      return expiry.noteUse(of: handle, limit: subject.limit)
    }
    switch look {
    case .use:
      expiry.noteRest(
        of: handle, limit: subject.limit, since: lastUsed, isConnected: shard.scenes[slot] != nil)
    case .end where SessionReviews(core: shard.core).expire(slot, of: shard.number):
      shard.isAnotherPassWanted = true
    case .end: expiry.noteUse(of: handle, limit: subject.limit)
    }
  }

  /// Whether the session was used since it was last looked at, or is in use.
  private func isUsed(in shard: isolated Shard) -> Bool {
    let isSent = shard.scenes.uses.take(slot)
    let isAttended = shard.lines[slot]?.change { $0.takePresence() } ?? false
    if isSent || isAttended || shard.lanes.contains(slot) { return true }
    switch shard.scenes[slot]?.activationState {
    case .foregroundActive, .foregroundInactive: return true
    case .background, .unattached, nil: return false
    }
  }

  /// Notes a use with what it has led to.
  private func noteNewUse(isLeaving: Bool, in shard: isolated Shard) {
    // A new session is used now, as long as nothing else is known.
    if let subject = subject(isLeaving: isLeaving, in: shard), subject.details.lastUsed != nil {
      noteUse(subject, in: shard)
    }
  }

  private func noteUse(_ subject: Subject, in shard: isolated Shard) {
    guard subject.isVisible,
      let time = subject.expiry.timeOfUse(after: subject.details.lastUsed, limit: subject.limit)
    else { return }
    let update = SessionUpdate(ticket: nil, .untouched) { session in
      session.details.lastUsed = time
    }
    UpdateRun(update, slot).carryOutOrHold(in: shard)
  }
}
