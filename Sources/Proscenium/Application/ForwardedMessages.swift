// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Messages and requests that came to another process first, since their senders are there.
package struct ForwardedMessages: Sendable {
  let application: Application

  /// What waits for the outcome of something.
  package typealias Waiting<Value> = @Sendable () async -> Result<Value, SceneError>

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
  ) async throws(SceneError) -> Waiting<Void> {
    let ticket = CompletionTicket()
    let shard = try await accept(.durable(message, ticket), session, message.count)
    return { [application] in
      await application.commands.drain(shard)
      return await Result { () async throws(SceneError) in
        try await application.commands.answer(ticket)
      }
    }
  }

  /// Queues a call.
  ///
  /// - Returns: What waits for the reply.
  /// - Throws: As `send(_:to:)`, but for a full queue.
  package func call(
    _ message: SceneMessage, to session: SessionIdentifier
  ) async throws(SceneError) -> Waiting<SceneMessage> {
    let ticket = ReplyTicket()
    let shard = try await accept(.call(message, ticket), session, message.count)
    return { [application] in
      await application.commands.drain(shard)
      return await Result { () async throws(SceneError) in try await ticket.value() }
    }
  }

  /// Decides a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - session: The session that it is about, or an identifier of the place where it makes one.
  /// - Returns: What waits for the session that it ends with, if it does; or for its refusal.
  /// - Throws: `sessionNotOpen` or `notRunning`, `servedElsewhere` or `systemBusy` if the session
  ///   is not served here: nothing was decided.
  package func decide(
    _ request: ForwardedRequest, for session: SessionIdentifier
  ) async throws(SceneError) -> Waiting<StoredSession?> {
    let command = Command(request, for: session)
    switch request {
    case .activate, .newSession, .event:
      return try await decide(command, for: session, SessionTicket(), RequestTicket.session) {
        $0.forElsewhere
      }
    case .action, .destroy:
      return try await decide(
        command, for: session, CompletionTicket(), RequestTicket.completion
      ) { _ in nil }
    }
  }

  private func decide<Awaited: Ticket>(
    _ command: Command, for session: SessionIdentifier, _ ticket: Awaited,
    _ kind: (Awaited) -> RequestTicket,
    _ reply: @escaping @Sendable (Awaited.Value) -> StoredSession?
  ) async throws(SceneError) -> Waiting<StoredSession?> {
    let commands = application.commands
    let admitted: Admitted
    do throws(SceneError) {
      admitted = try await commands.admit(command, kind(ticket))
    } catch {
      guard isDecided(command, for: session, error) else { throw error }
      return { .failure(error) }
    }
    admitted.sleeper?.wake()
    guard let handle = admitted.handle else { return { .success(nil) } }
    return {
      await commands.help(admitted, handle)
      return await Result { () async throws(SceneError) in
        reply(try await commands.answer(ticket))
      }
    }
  }

  /// Whether a request was refused for itself, and not since its session is served elsewhere.
  private func isDecided(
    _ command: Command, for session: SessionIdentifier, _ error: SceneError
  ) -> Bool {
    let directory = application.core.directory
    switch error.code {
    case .notRunning, .servedElsewhere: return false
    case .systemBusy where command.session != nil && directory.find(session) == nil: return false
    default: return directory.elsewhere?(session) == nil
    }
  }

  // MARK: - Events

  /// Decides about an event whose content another process has looked for.
  ///
  /// - Parameter routed: The event, and among which sessions it is decided.
  /// - Returns: What waits for the session that gets it, or for nothing if there is none.
  /// - Throws: The refusal.
  package func decide(
    _ routed: RoutedEvent
  ) async throws(SceneError) -> Waiting<StoredSession?> {
    let ticket = SessionTicket()
    let commands = application.commands
    let admitted = try await commands.admit(.event(routed), .session(ticket))
    admitted.sleeper?.wake()
    guard let handle = admitted.handle else { return { .success(nil) } }
    return {
      await commands.help(admitted, handle)
      return await Result { () async throws(SceneError) in
        try await commands.answer(ticket).forElsewhere
      }
    }
  }

  /// The best session here for some content, if there is one.
  ///
  /// - Parameters:
  ///   - identifier: The target content identifier.
  ///   - source: The session in which the event arose: among equals it comes first.
  ///   - scope: Which sessions are candidates.
  /// - Returns: Its state, and whether it is the source itself; nil if there is none.
  package func best(
    for identifier: String, source: SessionIdentifier?, _ scope: RoutingScope
  ) -> (session: SessionIdentifier, state: SessionRank.State, isSource: Bool)? {
    let core = application.core
    let source = source.flatMap { core.directory.find($0) }
    let choice = try? core.router.choose(identifier, role: 0, source: source, scope: scope)
    guard let session = choice?.session, let entry = core.router.entry(session) else { return nil }
    return (core.directory.identifier(session), entry.rank.state, session == source)
  }

  /// Delivers an event of this process without a look at what other processes show, but for the
  /// place of what no session shows.
  ///
  /// - Parameter routed: The event.
  /// - Returns: The session after the delivery.
  /// - Throws: As `deliver(_:in:source:)`.
  package func deliver(_ routed: RoutedEvent) async throws(SceneError) -> SceneSession {
    try await application.commands.perform(.event(routed), RequestTicket.session)
  }

  /// A session that another process has sent.
  package func session(elsewhere stored: StoredSession) -> SceneSession {
    SceneSession(elsewhere: stored, application.core.directory.states)
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
