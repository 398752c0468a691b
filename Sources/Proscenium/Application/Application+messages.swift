// SPDX-License-Identifier: Apache-2.0

// Messages and calls: events from outside, addressed to a session.
extension Application {
  /// Sends a message to a session's scene.
  ///
  /// It can be called from any thread and from callbacks; messages of one sender arrive in its
  /// order. A session without a scene gets one in the background first. What was accepted and is
  /// lost because its session ended is reported as ``LifecycleEvent/Kind/lost(_:)``.
  ///
  /// - Parameters:
  ///   - message: Up to ``SceneMessage/sizeLimit`` bytes.
  ///   - session: The session.
  /// - Throws: `sessionNotOpen` if the session is not open, `systemBusy` if the shard's queue is
  ///   full or the store is far behind, `limitExceeded`, or `notRunning`. Nothing was sent then.
  public nonisolated func send(
    _ message: SceneMessage, to session: SessionIdentifier
  ) throws(SceneError) {
    guard case .queued = try core.send(.message(message), to: session, size: message.count, .asks)
    else { throw core.queueFull(session) }
  }

  /// Sends a message as soon as there is room for it.
  ///
  /// A sender that meets a full queue helps to empty it, so that it is slowed to the speed of the
  /// scenes instead of being refused.
  ///
  /// - Throws: As ``send(_:to:)``, but `systemBusy` for a session without a scene alone.
  public nonisolated func sendWithBackpressure(
    _ message: SceneMessage, to session: SessionIdentifier
  ) async throws(SceneError) {
    _ = try await commands.accept(.message(message), to: session, size: message.count)
  }

  /// Sends a message and returns once its effect is durable: acknowledged.
  ///
  /// After the delegate has handled the message, the scene's state is captured whatever
  /// ``Scene/durability`` says, and the function returns when a commit holds it. What is
  /// acknowledged survives the end of the process at any moment, and of the machine as far as the
  /// store does.
  ///
  /// - Parameters:
  ///   - message: Up to ``SceneMessage/sizeLimit`` bytes.
  ///   - session: The session; without a scene it gets one in the background first.
  /// - Throws: `notDurable` if the store refused the state, or the state is larger than the limits,
  ///   or the application ended before the commit: the message was delivered then, and its effect
  ///   may become durable later. `lost` if the session ended before the message reached its scene,
  ///   `sessionNotOpen`, `limitExceeded`, `notRunning`, or `systemBusy` if it had no scene.
  public nonisolated func sendDurably(
    _ message: SceneMessage, to session: SessionIdentifier
  ) async throws(SceneError) {
    let ticket = CompletionTicket()
    let shard = try await commands.accept(
      .durable(message, ticket), to: session, size: message.count)
    await commands.drain(shard)
    return try await commands.answer(ticket)
  }

  /// What the store was brought so far, and how far behind it was.
  public nonisolated var durabilityReport: DurabilityReport { core.writer.report }

  /// Sends a message and returns the scene's reply.
  ///
  /// - Parameters:
  ///   - message: Up to ``SceneMessage/sizeLimit`` bytes.
  ///   - session: The session; without a scene it gets one in the background first.
  ///   - limit: How long to wait for the reply on ``ApplicationSettings/clock``, or `nil` for as
  ///     long as it takes.
  /// - Returns: What `scene(_:replyTo:)` returned.
  /// - Throws: `unhandledCall` if the delegate answers no calls, `lost` if the session ended before
  ///   the call reached its scene, `timedOut` if the time is over, `cancelled` if the task was
  ///   cancelled, `systemBusy` if the session had no scene, `sessionNotOpen`, `limitExceeded`, or
  ///   `notRunning`. A call that has not reached its scene by then does not reach it any more.
  public nonisolated func call(
    _ message: SceneMessage, to session: SessionIdentifier, within limit: Duration? = nil
  ) async throws(SceneError) -> SceneMessage {
    if message.count <= SceneMessage.sizeLimit, core.neighbours?.holdBack() != true {
      let shard = shards[core.directory.home(session.spread)]
      if let reply = try await shard.callAtOnce(message, session) { return reply }
    }
    guard let limit else { return try await commands.call(message, session) }
    return try await commands.call(message, session, within: limit)
  }

  /// Sends a message and returns the scene's reply as it comes, piece by piece.
  ///
  /// - Parameters:
  ///   - message: Up to ``SceneMessage/sizeLimit`` bytes.
  ///   - session: The session; without a scene it gets one in the background first.
  /// - Returns: What `scene(_:streamReplyTo:into:)` and the work that it starts send.
  /// - Throws: `sessionNotOpen`, `limitExceeded`, or `notRunning`; the sequence throws the rest.
  public nonisolated func stream(
    _ message: SceneMessage, to session: SessionIdentifier
  ) async throws(SceneError) -> ReplyPieces {
    let channel = ReplyChannel()
    let pieces = ReplyPieces(channel)
    let shard = try await commands.accept(
      .stream(message, ReplyStream(session, channel)), to: session, size: message.count)
    await commands.drain(shard)
    return pieces
  }
}
