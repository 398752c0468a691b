// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// How many sessions are connected again at once, and who waits for that.
extension ApplicationCore {
  /// Notes that a session is about to be connected again, if it may.
  ///
  /// - Throws: `systemBusy`; whoever awaits the request may wait for a turn.
  func beginReconnection(
    _ handle: SessionHandle, _ reconnecting: Reconnecting, _ gate: inout Gate
  ) throws(SceneError) {
    switch reconnecting {
    case .free: return
    case .has(let turn): gate.reconnections.end(turn)
    case .asks:
      if gate.reconnections.hasRoom(countReconnections) { return }
      throw SceneError(
        .systemBusy, session: identifier(handle),
        "\(settings.reconnectionLimit) sessions are being connected again; try again later",
        retryAfter: gate.reconnections.retryAfter(at: writer.now),
        recency: gate.ledger[handle].lastActivated)
    }
  }

  /// Waits until a session may be connected again.
  ///
  /// - Parameter refusal: What the request was refused with.
  /// - Returns: The turn, which has to be given back if it is not used.
  /// - Throws: The refusal, if it does not come of too many reconnections or too many wait already;
  ///   `notRunning`.
  func turn(after refusal: SceneError) async throws(SceneError) -> ReconnectionTurn {
    guard let recency = refusal.recency else { throw refusal }
    let ticket = Ticket<ReconnectionTurn>()
    let next = try gate.withLock { (gate) throws(SceneError) in
      guard gate.phase == .running else { throw Self.notRunning }
      guard gate.reconnections.wait(ticket, recency: recency) else { throw refusal }
      // Seen by whoever finishes something after this, or what it has finished is counted here.
      noteWaiting(gate)
      return giveTurns(&gate)
    }
    answer(next)
    return try await ticket.value()
  }

  /// Gives a turn back, unless it was used.
  func giveBack(_ turn: ReconnectionTurn) {
    gate.withLock { $0.reconnections.end(turn) }
    giveTurns()
  }

  /// Gives as many turns as there is room for.
  func giveTurns() {
    guard waitingReconnections.load(ordering: .sequentiallyConsistent) > 0 else { return }
    answer(gate.withLock { giveTurns(&$0) })
  }

  private func giveTurns(_ gate: inout Gate) -> [Ticket<ReconnectionTurn>] {
    defer { noteWaiting(gate) }
    return gate.reconnections.giveTurns(countReconnections)
  }

  private func noteWaiting(_ gate: Gate) {
    waitingReconnections.store(gate.reconnections.waitingCount, ordering: .sequentiallyConsistent)
  }

  /// Lets nobody wait any more: the application ends.
  func refuseReconnections() {
    let waiting = gate.withLock { gate in
      defer { noteWaiting(gate) }
      return gate.reconnections.takeAll()
    }
    for ticket in waiting { ticket.answer(.failure(Self.notRunning)) }
  }

  private func answer(_ tickets: [Ticket<ReconnectionTurn>]) {
    for ticket in tickets { ticket.answer(.success(ReconnectionTurn())) }
  }

  private func countReconnections() -> Int {
    mailboxes.reduce(0) {
      $0 + $1.finishedReconnections.load(ordering: .sequentiallyConsistent)
    }
  }
}
