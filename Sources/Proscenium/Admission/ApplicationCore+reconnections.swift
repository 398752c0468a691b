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
    case .has(let turn): gate.reconnections.use(turn)
    case .asks:
      if gate.reconnections.takeRoom(at: writer.now, countReconnections) { return }
      throw SceneError(
        .systemBusy, session: identifier(handle),
        "\(gate.reconnections.underWay) sessions are being connected again, and"
          + " \(gate.reconnections.waitingCount) wait for it; try again later",
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
    let ticket = TurnTicket()
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
