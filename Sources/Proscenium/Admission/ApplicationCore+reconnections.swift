// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// How many sessions are connected again at once, and who waits for that.
extension ApplicationCore {
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
    guard reconnectionBell.isAwaited else { return }
    let (tickets, pause) = gate.withLock { gate in
      let now = writer.now
      let tickets = gate.reconnections.giveTurns(at: now, directory.countReconnections)
      return (tickets, gate.reconnections.pause(at: now))
    }
    for ticket in tickets { ticket.answer(.success(ReconnectionTurn())) }
    if pause != nil { reconnectionBell.ring() }
  }

  /// Ends all waiting: the application ends.
  func refuseReconnections() {
    let waiting = gate.withLock { $0.reconnections.takeAll() }
    for ticket in waiting { ticket.answer(.failure(SceneError.notRunning)) }
  }
}
