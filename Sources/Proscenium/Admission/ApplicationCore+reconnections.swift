// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// How many sessions are connected again at once, and who waits for that.
extension ApplicationCore {
  /// Notes that a session is about to be connected again, if it may.
  ///
  /// - Returns: The turn to wait for, if the request waits for one, or nil if it may begin.
  /// - Throws: `systemBusy`.
  func beginReconnection(
    _ handle: SessionHandle, _ reconnecting: Reconnecting, _ gate: inout Gate
  ) throws(SceneError) -> TurnTicket? {
    switch reconnecting {
    case .free: return nil
    case .has(let turn):
      gate.reconnections.use(turn)
      return nil
    case .asks, .waits:
      if gate.reconnections.takeRoom(at: writer.now, countReconnections) { return nil }
    }
    let refusal = SceneError(
      .systemBusy, session: identifier(handle),
      "\(gate.reconnections.underWay) sessions are being connected again, and"
        + " \(gate.reconnections.waitingCount) wait for it; try again later",
      retryAfter: gate.reconnections.retryAfter(at: writer.now))
    let ticket = TurnTicket()
    guard case .waits = reconnecting,
      gate.reconnections.wait(ticket, recency: gate.ledger[handle].lastActivated)
    else { throw refusal }
    noteWaiting(gate)
    gate.record(.refused(refusal))
    return ticket
  }

  /// Waits for a turn to connect a session again, and gives it back unless `body` has used it.
  ///
  /// - Throws: The error of `body`, or `notRunning`.
  func inTurn<Result>(
    _ ticket: TurnTicket, _ body: (ReconnectionTurn) throws(SceneError) -> Result
  ) async throws(SceneError) -> Result {
    // What is finished from now on gives turns by itself; this is for what was finished before.
    giveTurns()
    let turn = try await ticket.value()
    defer { giveBack(turn) }
    return try body(turn)
  }

  /// Gives a turn back, unless it was used.
  private func giveBack(_ turn: ReconnectionTurn) {
    gate.withLock { $0.reconnections.giveBack(turn) }
    giveTurns()
  }

  /// Gives as many turns as there is room for.
  func giveTurns() {
    guard waitingReconnections.load(ordering: .sequentiallyConsistent) > 0 else { return }
    answer(gate.withLock { giveTurns(&$0) })
  }

  private func giveTurns(_ gate: inout Gate) -> NextTurns {
    defer { noteWaiting(gate) }
    let now = writer.now
    let tickets = gate.reconnections.giveTurns(at: now, countReconnections)
    return NextTurns(tickets: tickets, pause: gate.reconnections.pause(at: now))
  }

  /// Gives turns to those who wait until the settings let them begin; until it is cancelled.
  func serveReconnections() async {
    for await _ in reconnectionBell.stream {
      while let pause = gate.withLock({ $0.reconnections.pause(at: writer.now) }) {
        guard (try? await settings.clock.sleep(for: pause)) != nil else { return }
        giveTurns()
      }
    }
  }

  private func noteWaiting(_ gate: borrowing Gate) {
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

  private func answer(_ next: NextTurns) {
    for ticket in next.tickets { ticket.answer(.success(ReconnectionTurn())) }
    if next.pause != nil { reconnectionBell.continuation.yield() }
  }

  private func countReconnections() -> Int {
    mailboxes.reduce(0) {
      $0 + $1.finishedReconnections.load(ordering: .sequentiallyConsistent)
    }
  }
}

/// Who gets a turn, and how long it takes until time alone brings the next one.
private struct NextTurns: Sendable {
  let tickets: [TurnTicket]
  let pause: Duration?
}
