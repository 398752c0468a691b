// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Refreshes (semantics#refresh).
extension Admitter {
  /// R-RF-1, R-RF-5: acts on scenes that are not in the foreground, and once for many.
  mutating func refresh(
    _ session: SessionIdentifier, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    guard let handle = directory.find(session) else {
      // One that another process serves is not left alone for that.
      if let error = directory.elsewhere?(session) { throw error }
      return Admitted()
    }
    if ledger[handle].state.isForeground { return Admitted() }
    if isRefreshQueued(handle) { return follow(handle, reporting) }
    guard settings.fulfilsRefreshesByHost else {
      return try startRefresh(handle, reporting)
    }
    try pendingRefreshes.check(handle, directory)
    directory.mailbox(handle).state.withLock {
      $0.entries[handle.slot(directory.shardBits)].setPendingRefresh(plan: nil)
    }
    pendingRefreshes.add(handle, reporting.ticket)
    // Nothing is queued: a caller that waits, waits for the host.
    return Admitted(handle: reporting.isAwaited ? handle : nil)
  }

  /// Fulfils a refresh that waits for the host.
  mutating func fulfilRefresh(
    _ session: SessionIdentifier, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    guard let handle = directory.find(session), pendingRefreshes.contains(handle) else {
      return Admitted()
    }
    // R-RF-6: it has come to the foreground, or got its place there back.
    guard !ledger[handle].state.isForeground else {
      directory.mailbox(handle).state.withLock {
        $0.entries[handle.slot(directory.shardBits)].flags[.hasPendingRefresh] = false
      }
      pendingRefreshes.drop(handle, directory)
      return Admitted()
    }
    var reporting = reporting
    reporting.others = pendingRefreshes.remove(handle)
    return try startRefresh(handle, reporting)
  }

  /// Whether a refresh is on its way to the session's scene.
  func isRefreshQueued(_ handle: SessionHandle) -> Bool {
    let isPending = directory.mailbox(handle).state.withLock {
      $0.entries[handle.slot(directory.shardBits)].flags[.hasPendingRefresh]
    }
    return isPending && !pendingRefreshes.contains(handle)
  }

  private mutating func startRefresh(
    _ handle: SessionHandle, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    var question: ConfigurationQuestion?
    let isReconnection = ledger[handle].state == .archived
    if isReconnection {
      if directory.isUnresolvable(handle, asksConfiguration: asksConfiguration) {
        return replace(handle, with: nil, reporting)
      }
      if let turn = try beginReconnection(handle, reporting.reconnecting) {
        return Admitted(turn: turn)
      }
      if asksConfiguration { question = directory.takeQuestion(handle, nil) }
    }
    if ledger.connect(handle) { rank(handle) }
    record(.refreshed(directory.identifier(handle), decisions: ledger[handle].decisions.count))
    return admit(
      .refreshed, handle, reporting, isNewWork: true,
      isReconnection: isReconnection,
      question: question)
  }
}
