// SPDX-License-Identifier: Apache-2.0

/// What takes messages for sessions that other processes serve.
package struct Neighbours: Sendable {
  /// Whether messages for sessions that are open here may have to wait behind others, which came
  /// before the sessions.
  package var holdBack: @Sendable () -> Bool
  /// Takes a message over whose session is not open here, or has to wait.
  package var forward:
    @Sendable (SceneMessage, _ session: SessionIdentifier, ForwardedDelivery) -> Forwarding
  /// Waits until there may be room for messages for a session, after one was refused.
  package var waitForRoom: @Sendable (_ session: SessionIdentifier) async -> Void
  /// Takes no more messages, since the application is about to end: who waits for an answer gets
  /// none any more.
  package var close: @Sendable () -> Void

  package init(
    holdBack: @escaping @Sendable () -> Bool,
    forward:
      @escaping @Sendable (SceneMessage, SessionIdentifier, ForwardedDelivery) -> Forwarding,
    waitForRoom: @escaping @Sendable (SessionIdentifier) async -> Void,
    close: @escaping @Sendable () -> Void
  ) {
    self.holdBack = holdBack
    self.forward = forward
    self.waitForRoom = waitForRoom
    self.close = close
  }
}

/// What is done with a message in the process that serves its session.
package enum ForwardedDelivery: Sendable {
  /// Is given the reply, which is empty if none was asked for, or what went wrong.
  package typealias Answer = @Sendable (Result<SceneMessage, SceneError>) -> Void

  /// It is delivered.
  case plain
  /// It is delivered, and answered when its effect is durable.
  case durable(Answer)
  /// It is delivered, and answered with the scene's reply.
  case call(Answer)
}

/// What has become of a message for a session that another process may serve.
package enum Forwarding: Sendable {
  case taken
  /// There is no room for it now.
  case full
  /// It is not for another process, and nothing comes before it.
  case notElsewhere
}

extension ShardItem.Work {
  /// The message, if it can be delivered by another process, and how.
  var forwarded: (message: SceneMessage, delivery: ForwardedDelivery)? {
    switch self {
    case .message(let message): (message, .plain)
    case .call(let message, let ticket): (message, .call { ticket.answer($0) })
    case .durable(let message, let ticket):
      (message, .durable { ticket.answer($0.map { _ in }) })
    default: nil
    }
  }
}
