// SPDX-License-Identifier: Apache-2.0

/// A look at a session that ends if no one uses it.
struct ExpiryRun {
  let slot: Int32
  let look: ExpiryLedger.Look

  init(_ slot: Int32, _ look: ExpiryLedger.Look) {
    self.slot = slot
    self.look = look
  }

  /// Notes how the session was used, or ends it.
  func carryOut(in shard: isolated Shard) {
    let (core, handle) = (shard.core, shard.handle(slot))
    let entry = core.directory.entry(handle)
    guard let expiry = core.expiry, entry.flags[.isOpen],
      let limit = expiry.limit(core.catalog.configuration(entry.configuration).role)
    else { return }
    let isUsed = isUsed(in: shard)
    guard let lastUsed = entry.details.lastUsed, !isUsed else {
      // A session that is being opened has no row yet.
      if entry.flags[.isVisible] { noteUse(entry.details, expiry.runningTime, in: shard) }
      return expiry.noteUse(of: handle, limit: limit)
    }
    switch look {
    case .use:
      expiry.noteRest(
        of: handle, limit: limit, since: lastUsed, isConnected: shard.scenes[slot] != nil)
    case .end where core.expire(slot, of: shard.number): shard.isAnotherPassWanted = true
    case .end: expiry.noteUse(of: handle, limit: limit)
    }
  }

  /// Whether the session was used since it was last looked at, or is in use.
  private func isUsed(in shard: isolated Shard) -> Bool {
    let isSent = shard.uses?.take(slot) ?? false
    let isAttended = shard.lines[slot]?.change { $0.takePresence() } ?? false
    if isSent || isAttended || shard.lanes.contains(slot) { return true }
    switch shard.scenes[slot]?.activationState {
    case .foregroundActive, .foregroundInactive: return true
    case .background, .unattached, nil: return false
    }
  }

  private func noteUse(_ details: SessionDetails, _ time: Int64, in shard: isolated Shard) {
    if let lastUsed = details.lastUsed, lastUsed >= time { return }
    let update = SessionUpdate(ticket: nil, .untouched) { session in
      session.details.lastUsed = time
    }
    UpdateRun(update, slot).carryOutOrHold(in: shard)
  }
}
