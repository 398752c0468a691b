// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Refreshes (section 5).
extension ApplicationCore {
  /// R-RF-1, R-RF-5: acts on scenes that are not in the foreground, and once for many.
  func refresh(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    guard let handle = find(session), !gate.ledger[handle].state.isForeground else {
      return Admitted()
    }
    if isRefreshQueued(handle, gate) { return follow(handle, reporting, &gate) }
    guard settings.refreshSchedule == .manual else {
      return try startRefresh(handle, reporting, &gate)
    }
    try checkPendingRefreshes(handle, gate)
    mailbox(handle).state.withLock {
      $0.entries[handle.slot(shardBits)].setPendingRefresh(decisions: nil)
    }
    rememberRefresh(handle, reporting, &gate)
    // Nothing is queued: whoever waits, waits for the host.
    return Admitted(handle: reporting.isAwaited ? handle : nil)
  }

  /// As many refreshes wait for the host as requests may be unfinished.
  private func checkPendingRefreshes(
    _ handle: SessionHandle, _ gate: borrowing Gate
  ) throws(SceneError) {
    guard gate.pendingRefreshes.count >= settings.requestLimit,
      !gate.pendingRefreshes.contains(where: { $0.session == handle })
    else { return }
    throw SceneError(
      .systemBusy, session: identifier(handle),
      "\(settings.requestLimit) refreshes wait for the host; try again later")
  }

  private func rememberRefresh(
    _ handle: SessionHandle, _ reporting: Reporting, _ gate: inout Gate
  ) {
    let tickets = reporting.ticket.map { [$0] } ?? []
    if let index = gate.pendingRefreshes.firstIndex(where: { $0.session == handle }) {
      gate.pendingRefreshes[index].tickets += tickets
    } else {
      gate.pendingRefreshes.append((handle, tickets))
    }
  }

  /// Forgets a refresh that has been dropped; who waits for it goes on (R-RF-6).
  func forgetRefresh(_ handle: SessionHandle, _ gate: inout Gate) {
    guard let index = gate.pendingRefreshes.firstIndex(where: { $0.session == handle }) else {
      return
    }
    for ticket in gate.pendingRefreshes.remove(at: index).tickets {
      ticket.succeed(session(handle))
    }
  }

  /// Fulfils a refresh that waits for the host.
  func fulfilRefresh(
    _ session: SessionIdentifier, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    guard let handle = find(session),
      let index = gate.pendingRefreshes.firstIndex(where: { $0.session == handle })
    else { return Admitted() }
    // R-RF-6: it has come to the foreground, or got its place there back.
    guard !gate.ledger[handle].state.isForeground else {
      mailbox(handle).state.withLock {
        $0.entries[handle.slot(shardBits)].dropPendingRefresh()
      }
      forgetRefresh(handle, &gate)
      return Admitted()
    }
    let tickets = gate.pendingRefreshes.remove(at: index).tickets
    var reporting = reporting
    reporting.others = tickets
    return try startRefresh(handle, reporting, &gate)
  }

  /// Whether a refresh is on its way to the session's scene.
  func isRefreshQueued(_ handle: SessionHandle, _ gate: borrowing Gate) -> Bool {
    let isPending = mailbox(handle).state.withLock {
      $0.entries[handle.slot(shardBits)].hasPendingRefresh
    }
    return isPending && !gate.pendingRefreshes.contains { $0.session == handle }
  }

  private func startRefresh(
    _ handle: SessionHandle, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    var question: ConfigurationQuestion?
    let isReconnection = gate.ledger[handle].state == .archived
    if isReconnection {
      if isUnresolvable(handle) { return replace(handle, with: nil, reporting, &gate) }
      if let turn = try beginReconnection(handle, reporting.reconnecting, &gate) {
        return Admitted(turn: turn)
      }
      question = takeQuestion(handle, nil, gate)
    }
    if gate.ledger.connect(handle) { stand(handle, gate) }
    gate.record(.refreshed(identifier(handle), decisions: gate.ledger[handle].decisions))
    return admit(
      .refreshed, handle, isConnected: true, reporting, &gate, isNewWork: true,
      isReconnection: isReconnection,
      question: question)
  }
}
