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
    guard reconnectionBell.waiting.load(ordering: .sequentiallyConsistent) > 0 else { return }
    answer(gate.withLock { $0.giveTurns() })
  }

  /// Ends all waiting: the application ends.
  func refuseReconnections() {
    let waiting = gate.withLock { gate in
      defer { gate.noteWaiting() }
      return gate.reconnections.takeAll()
    }
    for ticket in waiting { ticket.answer(.failure(SceneError.notRunning)) }
  }

  private func answer(_ next: NextTurns) {
    for ticket in next.tickets { ticket.answer(.success(ReconnectionTurn())) }
    if next.pause != nil { reconnectionBell.ring() }
  }
}

/// Who gets a turn, and how long it takes until time alone brings the next one.
struct NextTurns: Sendable {
  let tickets: [TurnTicket]
  let pause: Duration?
}
