// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

extension ApplicationCore {
  /// What became of a message or call.
  enum Sending {
    /// It is in the FIFO of the shard with this number.
    case queued(Int)
    case full
    /// What to wait for before it is sent again.
    case waits(TurnTicket)
  }

  /// What one look at a session's entry came to.
  private enum Appending {
    case posted(Sleeper?)
    case full
    /// The session has no scene: that is for admission to change.
    case notConnected
    case notOpen
    /// It is in another shard.
    case elsewhere(SessionHandle)
  }

  /// Appends a message or call to the FIFO of its session.
  ///
  /// The usual case takes one lock: the session is found and its item appended in one step.
  ///
  /// - Parameters:
  ///   - work: What is to be done.
  ///   - session: The session.
  ///   - size: How many bytes the message has.
  ///   - reconnecting: What is done if the session has no scene, and may have none now.
  ///   - forwards: Whether it may go to another process, if that serves the session.
  /// - Returns: What became of it.
  /// - Throws: What ``Application/send(_:to:)`` does.
  func send(
    _ work: ShardItem.Work, to session: SessionIdentifier, size: Int,
    _ reconnecting: Reconnecting, forwards: Bool = true
  ) throws(SceneError) -> Sending {
    guard size <= SceneMessage.sizeLimit else {
      throw SceneError(
        .limitExceeded, session: session,
        "a message has at most \(SceneMessage.sizeLimit) bytes, this one has \(size)")
    }
    // What it leads to could not be written: the sender waits, or is refused.
    if writer.isBehind { return .full }
    if forwards, let neighbours, neighbours.holdBack(),
      let sending = try forward(work, to: session, neighbours)
    {
      return sending
    }
    let spread = session.spread
    let home = directory.home(spread)
    var shard = home
    var appending = directory.mailboxes[home].state.withLock { state -> Appending in
      let number = state.directory.find(spread) { number in
        let handle = SessionHandle(rawValue: number)
        return handle.shard(directory.shardBits) != home
          || state.entries[handle.slot(directory.shardBits)].identifier == session
      }
      guard let found = number.map(SessionHandle.init(rawValue:)) else { return .notOpen }
      guard found.shard(directory.shardBits) == home else { return .elsewhere(found) }
      return post(work, found, &state)
    }
    if case .elsewhere = appending, let handle = directory.find(session) {
      shard = handle.shard(directory.shardBits)
      appending = directory.mailboxes[shard].state.withLock { state in
        guard state.entries[handle.slot(directory.shardBits)].identifier == session else {
          return .notOpen
        }
        return post(work, handle, &state)
      }
    }
    switch appending {
    case .posted(let sleeper):
      sleeper?.wake()
      return .queued(shard)
    case .full: return .full
    case .notConnected:
      let admitted = try admit(
        .deliver(work, session), Reporting(reconnecting: reconnecting))
      admitted.sleeper?.wake()
      if admitted.asksConfiguration { applicationQueue.ring() }
      if let turn = admitted.turn { return .waits(turn) }
      return admitted.handle.map { .queued($0.shard(directory.shardBits)) } ?? .full
    case .notOpen, .elsewhere:
      if forwards, let neighbours, let sending = try forward(work, to: session, neighbours) {
        return sending
      }
      let error = notOpen(session)
      // It can have come from another process after it was looked for, and before it was asked who
      // serves it.
      guard error.code == .sessionNotOpen, directory.isOpen(session) else { throw error }
      return try send(work, to: session, size: size, reconnecting, forwards: forwards)
    }
  }

  /// Lets another process have a message; nil if it is not for one.
  private func forward(
    _ work: ShardItem.Work, to session: SessionIdentifier, _ neighbours: Neighbours
  ) throws(SceneError) -> Sending? {
    guard let work = work.forwarded else { return nil }
    switch try neighbours.forward(work, session) {
    case .taken: return .queued(directory.home(session.spread))
    case .full: return .full
    case .notElsewhere: return nil
    }
  }

  private func post(
    _ work: ShardItem.Work, _ handle: SessionHandle, _ state: inout ShardMailbox.State
  ) -> Appending {
    let slot = handle.slot(directory.shardBits)
    guard state.entries[slot].flags[.isOpen], !state.isClosed else { return .notOpen }
    let item = ShardItem(slot: Int32(slot), work: work)
    if item.isCounted, state.eventCount >= settings.eventLimit { return .full }
    guard state.entries[slot].flags[.isConnected] else { return .notConnected }
    state.queue.append(item)
    guard item.isCounted else {
      // A caller that awaits a reply drains the shard itself, and at once.
      state.entries[slot].prefetchScene()
      return .posted(nil)
    }
    state.eventCount += 1
    return .posted(state.doorbell.ring())
  }

  /// Queues a change of what a session holds.
  func update(
    _ session: SessionIdentifier, _ update: SessionUpdate
  ) throws(SceneError) -> SessionHandle {
    guard gate.withLock({ $0.phase == .running }) else { throw SceneError.notRunning }
    guard let handle = directory.find(session) else { throw notOpen(session) }
    let slot = handle.slot(directory.shardBits)
    let isOpen = directory.mailbox(handle).state.withLock { state in
      guard state.entries[slot].flags[.isOpen], state.entries[slot].identifier == session,
        !state.isClosed
      else { return false }
      state.queue.append(ShardItem(slot: Int32(slot), work: .update(update)))
      return true
    }
    guard isOpen else { throw notOpen(session) }
    return handle
  }

  private func notOpen(_ session: SessionIdentifier) -> SceneError {
    let isRunning = gate.withLock { $0.phase == .running }
    return isRunning
      ? directory.notOpen(session)
      : SceneError(.notRunning, session: session, "the application is not running")
  }

  func queueFull(_ session: SessionIdentifier) -> SceneError {
    SceneError(
      .systemBusy, session: session,
      writer.isBehind
        ? "too many changes wait for the store; try again later"
        : "the shard holds \(settings.eventLimit) undelivered messages; try again later")
  }
}
