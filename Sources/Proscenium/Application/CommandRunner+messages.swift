// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Messages, calls, and changes of what a session holds.
extension CommandRunner {
  /// Queues a call behind what its shard has to do before.
  func call(
    _ message: SceneMessage, _ session: SessionIdentifier
  ) async throws(SceneError) -> SceneMessage {
    try await call(message, session, ReplyTicket())
  }

  /// Does the same, and withdraws the call after a time.
  func call(
    _ message: SceneMessage, _ session: SessionIdentifier, within limit: Duration
  ) async throws(SceneError) -> SceneMessage {
    let ticket = ReplyTicket()
    let clock = core.settings.clock
    return try await withTaskGroup { group in
      group.addTask {
        // A sleep that is cut short is that of a call with a reply.
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        ticket.answer(
          .failure(SceneError(.timedOut, session: session, "there is no reply within \(limit)")))
      }
      defer { group.cancelAll() }
      return await Result { () async throws(SceneError) in
        try await call(message, session, ticket)
      }
    }.get()
  }

  /// Queues a call; one that has to wait is withdrawn if the task is cancelled.
  private func call(
    _ message: SceneMessage, _ session: SessionIdentifier, _ ticket: ReplyTicket
  ) async throws(SceneError) -> SceneMessage {
    let shard = try await accept(.call(message, ticket), to: session, size: message.count)
    await drain(shard)
    if let answer = ticket.takeAnswer() { return try answer.get() }
    return try await withTaskCancellationHandler {
      await Result { () async throws(SceneError) in try await ticket.value() }
    } onCancel: {
      ticket.answer(
        .failure(SceneError(.cancelled, session: session, "the task that called was cancelled")))
    }.get()
  }

  /// Appends a message or call to the FIFO of its session as soon as there is room for it, and
  /// helps to make room.
  ///
  /// - Returns: The number of the shard.
  func accept(
    _ work: ShardItem.Work, to session: SessionIdentifier, size: Int, forwards: Bool = true
  ) async throws(SceneError) -> Int {
    while true {
      if let shard = try await append(work, to: session, size: size, forwards) { return shard }
      await makeRoom(session, forwards)
    }
  }

  /// Appends a message or call, when it is the session's turn if it has to be connected again; nil
  /// if there is no room.
  @inline(__always)
  private func append(
    _ work: ShardItem.Work, to session: SessionIdentifier, size: Int, _ forwards: Bool
  ) async throws(SceneError) -> Int? {
    switch try core.send(work, to: session, size: size, .waits, forwards: forwards) {
    case .queued(let shard): return shard
    case .full: return nil
    case .waits(let ticket):
      return try await core.inTurn(ticket) { turn throws(SceneError) in
        guard
          case .queued(let shard) = try core.send(
            work, to: session, size: size, .has(turn), forwards: forwards)
        else { return nil }
        return shard
      }
    }
  }

  /// Empties the queue that a session's messages go through.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - forwards: Whether they may go to another process instead.
  private func makeRoom(_ session: SessionIdentifier, _ forwards: Bool) async {
    if forwards { await core.neighbours?.waitForRoom(session) }
    guard let handle = core.directory.find(session) else {
      return await core.writer.waitForRoom()
    }
    let shard = handle.shard(core.directory.shardBits)
    await drain(shard)
    await core.directory.mailboxes[shard].waitForRoom(limit: core.settings.eventLimit)
    await core.writer.waitForRoom()
  }

  /// Changes what a session holds, and returns it as it is after the change.
  func update(
    _ session: SessionIdentifier, _ use: SessionUpdate.StateUse, durable: CompletionTicket? = nil,
    _ change: @escaping @Sendable (inout SceneSession) throws(SceneError) -> Void
  ) async throws(SceneError) -> SceneSession {
    await core.launched()
    let ticket = SessionTicket()
    let handle = try core.update(
      session, SessionUpdate(ticket: ticket, use, durable: durable, change))
    await drain(handle.shard(core.directory.shardBits))
    return try await answer(ticket)
  }

  /// Changes what a session holds, and returns what came of it once that is durable.
  func changeDurably<Result: Sendable>(
    _ session: SessionIdentifier,
    _ change: @escaping @Sendable (inout SceneSession) throws(SceneError) -> Result
  ) async throws(SceneError) -> Result {
    let outcome = Guarded<Result?>(nil)
    let durable = CompletionTicket()
    _ = try await update(session, .needed, durable: durable) { session throws(SceneError) in
      let result = try change(&session)
      outcome.withLock { $0 = result }
    }
    try await durable.value()
    guard let result = outcome.withLock({ $0 }) else {
      preconditionFailure("what is durable was made")
    }
    return result
  }
}
