// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Admits commands for a caller, and helps the shards until its answer is there.
struct CommandRunner: Sendable {
  let application: Application

  var core: ApplicationCore { application.core }

  /// Admits a command and leaves it to its shard; a failure is told.
  func submit(_ command: Command, _ onFailure: (@Sendable (SceneError) -> Void)?) {
    do throws(SceneError) {
      if try core.keepUntilLaunch(EarlyRequest(command: command, onFailure: onFailure)) { return }
      if core.neighbours != nil, case .event(let routed) = command,
        case .elsewhere(let finish)? = try route(routed)
      {
        // Ends when it is answered, or nothing is any more.
        _ = core.sceneTasks.start {
          do throws(SceneError) { _ = try await finish() } catch { onFailure?(error) }
        }
        return
      }
      if case .activate(let request) = command, case .elsewhere? = try search(for: request) {
        // As an event does.
        _ = core.sceneTasks.start {
          do throws(SceneError) { _ = try await activate(request) } catch { onFailure?(error) }
        }
        return
      }
      let reporting = Reporting(onFailure: onFailure, reconnecting: .asks)
      let forwarding = RequestForwarding(core)
      if command.session != nil, let forwarding, try forwards(command, reporting, forwarding) {
        return
      }
      do throws(SceneError) {
        let admitted = try core.admit(command, reporting)
        admitted.sleeper?.wake()
        if admitted.asksConfiguration { core.applicationQueue.ring() }
      } catch {
        guard let forwarding else { throw error }
        if try forwards(command, reporting, forwarding) { return }
        guard forwarding.hasCome(command, error) else { throw error }
        submit(command, onFailure)
      }
    } catch {
      onFailure?(error)
    }
  }

  /// Routes an event, and returns its session after the delivery.
  @inline(__always)
  func deliver(_ routed: RoutedEvent) async throws(SceneError) -> SceneSession {
    if core.neighbours != nil { return try await deliverAnywhere(routed) }
    return try await perform(.event(routed), RequestTicket.session)
  }

  /// Routes an event to a session of any process.
  private func deliverAnywhere(_ routed: RoutedEvent) async throws(SceneError) -> SceneSession {
    await core.launched()
    if case .elsewhere(let finish)? = try route(routed) { return try await finish() }
    return try await perform(.event(routed), RequestTicket.session)
  }

  /// Where an event goes, if other processes may have sessions for it.
  private func route(_ routed: RoutedEvent) throws(SceneError) -> ContentSearch<SceneSession>? {
    guard let neighbours = core.neighbours, routed.group == nil, !routed.event.isAnnouncement,
      routed.event.targetContentIdentifier != nil
    else { return nil }
    return try neighbours.route(routed)
  }

  /// Activates a session, or makes one; returns it when that has happened.
  func activate(
    _ request: SceneSessionActivationRequest
  ) async throws(SceneError) -> SceneSession {
    guard core.neighbours != nil else {
      return try await perform(.activate(request), RequestTicket.session)
    }
    await core.launched()
    for _ in 0..<Self.searches {
      guard case .elsewhere(let find)? = try search(for: request), let session = try await find()
      else { break }
      let found = SceneSessionActivationRequest(
        session: session, userActivity: request.userActivity, options: request.options)
      let activated = await Result { () async throws(SceneError) in
        try await perform(.activate(found), RequestTicket.session)
      }
      // One that was discarded after it was found is looked for again.
      if case .failure(let error) = activated, error.code == .sessionNotOpen { continue }
      return try activated.get()
    }
    return try await perform(.activate(request), RequestTicket.session)
  }

  /// How often a session is looked for that is discarded each time.
  private static let searches = 3

  /// Who finds the session that an activation uses again, if other processes may have it (R-REQ-2).
  private func search(
    for request: SceneSessionActivationRequest
  ) throws(SceneError) -> ContentSearch<SessionIdentifier?>? {
    guard let neighbours = core.neighbours, request.session == nil,
      let identifier = request.sharedContent
    else { return nil }
    return try neighbours.findPreferring(identifier, request.options.requestingScene)
  }

  /// Lets another process carry out a command, if that is to; nothing waits for room there.
  private func forwards(
    _ command: Command, _ reporting: Reporting, _ forwarding: RequestForwarding
  ) throws(SceneError) -> Bool {
    switch try forwarding.forward(command, reporting) {
    case .taken: return true
    case .notElsewhere: return false
    case .full:
      throw SceneError(
        .systemBusy, session: command.session,
        "too much waits for the process that serves the session; try again later")
    }
  }

  /// Carries out a command and returns what its ticket is for.
  ///
  /// - Throws: The refusal or the failure.
  func perform<Awaited: Ticket>(
    _ command: Command, _ kind: (Awaited) -> RequestTicket
  ) async throws(SceneError) -> Awaited.Value {
    guard let outcome = try await performOptional(command, kind) else {
      preconditionFailure("only a refresh and a drop can come to nothing")
    }
    return outcome
  }

  /// Admits a command, helps until it has run, and returns what its ticket is for; nil if it came
  /// to nothing.
  func performOptional<Awaited: Ticket>(
    _ command: Command, _ kind: (Awaited) -> RequestTicket
  ) async throws(SceneError) -> Awaited.Value? {
    await core.launched(for: command.session)
    let ticket = Awaited()
    let forwarding = RequestForwarding(core)
    if command.session != nil, let forwarding,
      try await forwards(command, kind(ticket), forwarding)
    {
      return try await ticket.value()
    }
    let admitted: Admitted
    do throws(SceneError) {
      admitted = try await admit(command, kind(ticket))
    } catch {
      // The session may have moved on since, or is to be made elsewhere.
      guard let forwarding else { throw error }
      if try await forwards(command, kind(ticket), forwarding) {
        return try await ticket.value()
      }
      guard forwarding.hasCome(command, error) else { throw error }
      return try await performOptional(command, kind)
    }
    // The ring takes the sleeping task, which has to be woken.
    admitted.sleeper?.wake()
    guard let handle = admitted.handle else { return nil }
    await help(admitted, handle)
    return try await answer(ticket)
  }

  /// Lets another process carry out a command, if that is to, as soon as there is room for it.
  private func forwards(
    _ command: Command, _ ticket: RequestTicket, _ forwarding: RequestForwarding
  ) async throws(SceneError) -> Bool {
    while true {
      switch try forwarding.forward(command, Reporting(ticket: ticket)) {
      case .taken: return true
      case .notElsewhere: return false
      case .full: await forwarding.waitForRoom(for: command)
      }
    }
  }

  /// Admits a command, when it is its turn if it has to connect a session again.
  @inline(__always)
  func admit(
    _ command: Command, _ ticket: RequestTicket
  ) async throws(SceneError) -> Admitted {
    let admitted = try core.admit(command, Reporting(ticket: ticket, reconnecting: .waits))
    guard let turn = admitted.turn else { return admitted }
    // In a function of its own, so that the usual case needs no memory for it.
    return try await core.inTurn(turn) { turn throws(SceneError) in
      try core.admit(command, Reporting(ticket: ticket, reconnecting: .has(turn)))
    }
  }

  /// Carries out what is queued for a session, and has the application delegate asked and told.
  @inline(__always)
  func help(_ admitted: Admitted, _ handle: SessionHandle) async {
    if admitted.asksConfiguration { await application.serveDelegate() }
    await drain(handle.shard(core.directory.shardBits))
    if admitted.tellsDiscard { await application.serveDelegate() }
  }

  @inline(__always)
  func drain(_ shard: Int) async {
    await application.shards[shard].drain()
  }

  /// Returns the answer of a ticket, which nearly always is there.
  @inline(__always)
  func answer<Awaited: Ticket>(
    _ ticket: Awaited
  ) async throws(SceneError) -> Awaited.Value {
    if let answer = ticket.takeAnswer() { return try answer.get() }
    return try await ticket.value()
  }

  // MARK: - Several at once

  /// Admits several commands in one step and leaves them to their shards.
  ///
  /// Nothing happens if the application is not running.
  func submitAll(_ choose: (borrowing Admitter) -> [Command]) {
    guard let all = try? core.admitAll(choose) else { return }
    for (admitted, _) in all {
      admitted.sleeper?.wake()
      if admitted.asksConfiguration { core.applicationQueue.ring() }
    }
  }

  /// Admits several commands in one step and waits until all of them have run.
  @discardableResult
  func performAll(
    _ choose: (borrowing Admitter) -> [Command]
  ) async throws(SceneError) -> [SceneSession] {
    await core.launched()
    let all = try core.admitAll(isAwaited: true, choose)
    // All of them first: one may wait for long, and nothing else would help the others on.
    for (admitted, _) in all {
      admitted.sleeper?.wake()
      if let handle = admitted.handle { await help(admitted, handle) }
    }
    var sessions: [SceneSession] = []
    for (admitted, ticket) in all {
      guard admitted.handle != nil, let ticket else { continue }
      // What fails by itself fails alone.
      if let session = try? await ticket.value() { sessions.append(session) }
    }
    return sessions
  }
}

extension Application {
  /// The way of every command.
  nonisolated var commands: CommandRunner { CommandRunner(application: self) }
}
