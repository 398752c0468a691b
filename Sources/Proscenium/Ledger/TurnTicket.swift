// SPDX-License-Identifier: Apache-2.0

/// Awaits a turn to connect a session again.
final class TurnTicket: Ticket {
  let cell = TicketCell<ReconnectionTurn>()
}
