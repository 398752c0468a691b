// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Messages that came to another process first, since their senders are there.
package struct ForwardedMessages: Sendable {
  let application: Application

  /// Queues a message for its session, as soon as there is room.
  ///
  /// Messages are delivered in the order of the calls, if each is awaited.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - session: Its session.
  /// - Throws: As `send(_:to:)`, but for a full queue.
  package func take(
    _ message: SceneMessage, to session: SessionIdentifier
  ) async throws(SceneError) {
    _ = try await accept(.message(message), session, message.count)
  }

  /// Queues a message for its session, if that can be done at once.
  ///
  /// - Returns: Whether it was; if not, `take(_:to:)` does it, or says why not.
  package func takeAtOnce(_ message: SceneMessage, to session: SessionIdentifier) -> Bool {
    let sending = try? application.core.send(
      .message(message), to: session, size: message.count, .asks, forwards: false)
    guard case .queued? = sending else { return false }
    return true
  }

  /// Queues a message whose sender waits until its effect is durable.
  ///
  /// - Returns: What waits for that.
  /// - Throws: As `send(_:to:)`, but for a full queue.
  package func takeDurably(
    _ message: SceneMessage, to session: SessionIdentifier
  ) async throws(SceneError) -> @Sendable () async -> Result<SceneMessage, SceneError> {
    let ticket = CompletionTicket()
    let shard = try await accept(.durable(message, ticket), session, message.count)
    return { [application] in
      await application.commands.drain(shard)
      return await Result { () async throws(SceneError) in
        try await application.commands.answer(ticket)
        return SceneMessage("")
      }
    }
  }

  /// Queues a call.
  ///
  /// - Returns: What waits for the reply.
  /// - Throws: As `send(_:to:)`, but for a full queue.
  package func call(
    _ message: SceneMessage, to session: SessionIdentifier
  ) async throws(SceneError) -> @Sendable () async -> Result<SceneMessage, SceneError> {
    let ticket = ReplyTicket()
    let shard = try await accept(.call(message, ticket), session, message.count)
    return { [application] in
      await application.commands.drain(shard)
      return await Result { () async throws(SceneError) in try await ticket.value() }
    }
  }

  /// Tells the observers that a message is lost that was accepted here.
  package func reportLoss(of message: SceneMessage, to session: SessionIdentifier) {
    application.core.events.report(session, .lost(.message(message)))
  }

  private func accept(
    _ work: ShardItem.Work, _ session: SessionIdentifier, _ size: Int
  ) async throws(SceneError) -> Int {
    // What has moved on in the meantime goes back to its sender, which keeps the order.
    try await application.commands.accept(work, to: session, size: size, forwards: false)
  }
}

extension Application {
  /// What takes messages that came to another process first.
  package nonisolated var forwarded: ForwardedMessages { ForwardedMessages(application: self) }
}
