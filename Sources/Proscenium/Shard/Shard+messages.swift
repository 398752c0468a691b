// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Messages and calls: they change no state.
extension Shard {
  /// Runs messages and calls for connected scenes until something else comes.
  ///
  /// Nothing is awaited for them: the executor of the scenes is the one that this runs on. While
  /// one is run, memory that the next ones need is on its way.
  ///
  /// - Parameters:
  ///   - batch: What has come in.
  ///   - first: The item to begin with.
  ///   - delivered: Grows by the items that no longer count against the bound of the FIFO.
  /// - Returns: The index of the first item that was not run, or the end of the batch.
  func runMessages(of batch: [ShardItem], from first: Int, _ delivered: inout Int) -> Int {
    // One after the other then: what fenced sessions were sent is lost.
    guard fenced.isEmpty else { return first }
    for index in first..<batch.count {
      scenes.prefetch(batch, behind: index)
      guard runMessage(batch[index], &delivered) else { return index }
    }
    return batch.count
  }

  /// Runs an item if it changes no state and can run at once; returns whether it was.
  @inline(__always)
  private func runMessage(_ item: ShardItem, _ delivered: inout Int) -> Bool {
    switch item.work {
    case .message(let message):
      guard let scene = receiver(of: item) else { return false }
      delivered += 1
      scenes.record(SceneOnShard(scene).receive(message), of: scene)
    case .call(let message, let ticket):
      guard let scene = receiver(of: item) else { return false }
      answer(message, ticket, scene)
    default: return false
    }
    return true
  }

  /// The scene that an item can reach at once, if there is one.
  @inline(__always)
  private func receiver(of item: ShardItem) -> Scene? {
    guard !lanes.blocks(item), !core.isAbandoned, let scene = scenes[item.slot] else { return nil }
    if let pressure { pressure.didUse(item.slot) }
    if scenes.watchesUses { scenes.uses.note(item.slot) }
    return scene
  }

  /// Answers a call if nothing is left that was queued before it: without FIFO and ticket.
  ///
  /// - Returns: The reply, or nil if the call has to be queued.
  /// - Throws: What the caller of a call is told.
  func callAtOnce(
    _ message: SceneMessage, _ session: SessionIdentifier
  ) throws(SceneError) -> SceneMessage? {
    guard lanes.count == 0, !core.isAbandoned, !core.writer.isBehind, core.mayServe,
      let slot = mailbox.slotOfIdleSession(
        session, shard: number, shardBits: core.directory.shardBits),
      let scene = scenes[slot]
    else { return nil }
    if let pressure { pressure.didUse(slot) }
    if scenes.watchesUses {
      core.expiry?.beginPeriodIfDue(of: &scenes.uses)
      scenes.uses.note(slot)
    }
    // What the scene's delegate changes goes the way of every pass.
    defer { finishPass(0) }
    return try reply(of: scene, to: message)
  }

  private func answer(_ message: SceneMessage, _ ticket: ReplyTicket, _ scene: Scene) {
    // Its caller waits no longer.
    if ticket.cell.isAnswered { return }
    do throws(SceneError) {
      ticket.answer(.success(try reply(of: scene, to: message)))
    } catch {
      ticket.answer(.failure(error))
    }
  }

  private func reply(of scene: Scene, to message: SceneMessage) throws(SceneError) -> SceneMessage {
    let (reply, changes) = SceneOnShard(scene).reply(to: message)
    scenes.record(changes, of: scene)
    guard let reply else {
      throw SceneError(
        .unhandledCall, session: scene.persistentIdentifier,
        "the scene's delegate does not implement scene(_:replyTo:)")
    }
    return reply
  }

  // MARK: - Receivers that may have to be connected first

  func deliver(_ message: SceneMessage, to slot: Int32) {
    guard let scene = scenes[slot] ?? reconnect(slot) else {
      return scenes.lose(.message(message), slot)
    }
    scenes.record(SceneOnShard(scene).receive(message), of: scene)
  }

  func call(_ message: SceneMessage, _ ticket: ReplyTicket, _ slot: Int32) {
    guard let scene = scenes[slot] ?? reconnect(slot) else {
      return ticket.answer(
        .failure(SceneError(.lost, "the session ended before the call reached its scene")))
    }
    answer(message, ticket, scene)
  }

  /// Delivers a message whose sender waits until its effect is durable.
  func deliver(_ message: SceneMessage, durably ticket: CompletionTicket, _ slot: Int32) {
    guard let scene = scenes[slot] ?? reconnect(slot) else {
      return ticket.answer(
        .failure(SceneError(.lost, "the session ended before the message reached its scene")))
    }
    let (changes, isRefused) = SceneOnShard(scene).receiveDurably(message)
    scenes.record(changes, of: scene)
    if isRefused {
      ticket.answer(
        .failure(
          SceneError(
            .notDurable, session: scene.persistentIdentifier,
            "the message was delivered, and the state that it led to is not kept")))
    } else {
      scenes.batch.awaiting.append(.ticket(ticket, of: scene.persistentIdentifier))
    }
  }
}

extension ShardItem {
  /// Is given up: another process has taken its session over.
  func lose(in shard: isolated Shard) {
    if case .message(let message) = work { shard.scenes.lose(.message(message), slot) }
    fail(
      SceneError(
        .lost, session: shard.core.directory.identifier(shard.handle(slot)),
        "another node has taken the session over before this reached its scene"))
  }
}
