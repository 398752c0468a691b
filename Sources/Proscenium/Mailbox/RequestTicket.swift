// SPDX-License-Identifier: Apache-2.0

/// Where the outcome of a request is left: its session, or only that it is done.
///
/// A session value costs more than some requests do, and is made only for those who want it.
enum RequestTicket: Sendable {
  case session(SessionTicket)
  case completion(CompletionTicket)

  func succeed(_ session: @autoclosure () -> SceneSession) {
    switch self {
    case .session(let ticket): ticket.answer(.success(session()))
    case .completion(let ticket): ticket.answer(.success(()))
    }
  }

  func fail(_ error: SceneError) {
    switch self {
    case .session(let ticket): ticket.answer(.failure(error))
    case .completion(let ticket): ticket.answer(.failure(error))
    }
  }
}

/// Awaits the reply to a call.
final class ReplyTicket: Ticket {
  let cell = TicketCell<SceneMessage>()
}
