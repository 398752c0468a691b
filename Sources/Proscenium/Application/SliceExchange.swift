// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Sessions that come from another process, and go to one, while the application runs.
///
/// Several processes share a store, and each serves slices of its sessions.
package struct SliceExchange: Sendable {
  let application: Application

  private var core: ApplicationCore { application.core }

  /// Whether sessions may be served now, and their clients told what their scenes say.
  package var mayServe: Bool { core.mayServe }

  /// Takes sessions over that another process served until now.
  ///
  /// They can be asked for when the function returns. The delegate is told of those that were
  /// discarded while no process served them (R-DST-4).
  ///
  /// - Parameters:
  ///   - rows: What the store keeps of them.
  ///   - epochs: The epochs in which they are written, by slice.
  ///   - bits: How many bits of an identifier name its slice.
  ///   - handedOver: What that process has told of them before it gave them away: their scenes are
  ///     brought back before anything that is asked of the sessions, and their clients go on.
  ///   - isAfterEnd: Whether that process has ended: then sessions end that the end of their scene
  ///     ends (R-DC-1). One that handed them over has not taken their scenes away.
  /// - Throws: `notRunning`, or `limitExceeded` for more configurations or roles than there can be.
  package func adopt(
    _ rows: [SessionRow], epochs: [Int: UInt32], bits: Int,
    handedOver: HandedOverSessions = HandedOverSessions(), isAfterEnd: Bool
  ) async throws(SceneError) {
    guard core.isLaunched, core.hasOpened, !core.isAbandoned else {
      throw ApplicationCore.notRunning
    }
    core.writer.epochs.set(epochs, bits: bits)
    core.writer.takeBack { epochs[$0.slice(bits: bits)] != nil }
    // Before a scene connects, and before clients come.
    let lines = ClientMoves(core: core).arrive(handedOver.lines, rows)
    try StoreRestoration(core: core).adopt(
      rows, connected: handedOver.connected, isAfterEnd: isAfterEnd)
    ClientMoves(core: core).beginAbsences(of: lines)
    let discarded = core.takePendingDiscards()
    if !discarded.isEmpty { await tell(discarded, by: application) }
  }

  private func tell(
    _ discarded: [(session: SceneSession, reason: LifecycleEvent.Reason)],
    by application: isolated Application
  ) {
    application.delegate?.application(
      application, didDiscardSceneSessions: discarded.map(\.session))
    core.forget(discarded)
  }

  /// Lets sessions go that another process serves from here on, with everything that was accepted
  /// for them before.
  ///
  /// Connected scenes go to the background, are captured and disconnected. When the function
  /// returns, the store has everything, and the sessions are not open here any more.
  ///
  /// Clients get nothing more from then on, and are told nothing until ``endLines(of:at:)``.
  ///
  /// - Parameter isLeaving: Tells which sessions go.
  /// - Returns: Those that went, what their scenes were, and what their clients need. A session of
  ///   which the store has refused what was captured has gone as well.
  /// - Throws: `notRunning`.
  package func handOver(
    where isLeaving: (SessionIdentifier) -> Bool
  ) async throws(SceneError) -> (HandedOverSessions, ClientMoves.Lines) {
    let departures = try part(where: isLeaving, captures: true)
    let left = await wait(for: departures)
    if left.isEmpty { return (HandedOverSessions(), ClientMoves.Lines()) }
    let tickets = left.map { session in (session, CompletionTicket()) }
    core.writer.write(
      SnapshotWriter.Batch(awaiting: tickets.map { .ticket($1, of: $0) }))
    var sessions = departures.handedOver
    var refused: Set<SessionIdentifier> = []
    for (session, ticket) in tickets {
      do throws(SceneError) {
        try await waitForCommit(of: session, ticket)
      } catch {
        // At the end of the application there is nothing that could go.
        guard error.session != nil else {
          ClientMoves(core: core).end(where: left.contains)
          throw error
        }
        refused.insert(session)
        sessions.refusal = sessions.refusal ?? error
      }
    }
    let lines = ClientMoves(core: core).depart(left)
    // What their clients have seen of these is lost.
    sessions.lines = lines.handedOver.filter { !refused.contains($0.session) }
    return (sessions, lines)
  }

  /// Waits until the store has taken what was captured of a session, or has refused it for good.
  ///
  /// What it refuses for now is offered again: another process must not begin without it.
  private func waitForCommit(
    of session: SessionIdentifier, _ first: CompletionTicket
  ) async throws(SceneError) {
    var ticket = first
    while true {
      do throws(SceneError) {
        return try await ticket.value()
      } catch {
        // Without a session the store has refused the whole commit.
        guard error.session == nil, !Task.isCancelled, let next = askForCommit(of: session)
        else { throw error }
        ticket = next
      }
    }
  }

  /// Has the store asked about what was written of a session; nil at the end of the application.
  private func askForCommit(of session: SessionIdentifier) -> CompletionTicket? {
    core.gate.withLock { gate in
      // At the end of the application nothing is adopted any more.
      guard gate.phase == .running else { return nil }
      let ticket = CompletionTicket()
      core.writer.write(SnapshotWriter.Batch(awaiting: [.ticket(ticket, of: session)]))
      return ticket
    }
  }

  /// Tells clients where their sessions are from now on.
  ///
  /// - Parameters:
  ///   - lines: What ``handOver(where:)`` has returned.
  ///   - address: Where the process is that serves them, or `nil` if they are to look for it.
  package func endLines(of lines: ClientMoves.Lines, at address: String?) {
    ClientMoves(core: core).end(lines, at: address)
  }

  /// Drops sessions that another process has taken over: nothing more is captured of them, messages
  /// that have not reached them are lost, and what still waits for the store is refused there.
  ///
  /// When the function returns, nothing more is delivered to them, and their clients are told
  /// nothing more; their scenes are about to end.
  ///
  /// - Parameter isGone: Tells which sessions go.
  /// - Returns: Those that go, to be waited for with ``finish(_:)``.
  /// - Throws: `notRunning`.
  package func fence(
    where isGone: (SessionIdentifier) -> Bool
  ) throws(SceneError) -> Departures {
    // Also at the end of the application, when nothing else goes.
    defer { ClientMoves(core: core).end(where: isGone) }
    return try part(where: isGone, captures: false)
  }

  /// Waits until sessions have gone, and the store was offered everything of them: what is adopted
  /// later is not mixed with what was before, be it in the same epoch.
  ///
  /// - Parameter departures: The sessions.
  /// - Returns: Their identifiers.
  @discardableResult
  package func finish(_ departures: Departures) async -> [SessionIdentifier] {
    let left = await wait(for: departures)
    for session in left.prefix(1) { await offerEverything(session) }
    return left
  }

  /// Waits until the store has taken or refused everything that was written until now.
  private func offerEverything(_ session: SessionIdentifier) async {
    guard let ticket = askForCommit(of: session) else { return }
    try? await waitForCommit(of: session, ticket)
  }

  /// Why a session that is not open here cannot be reached: another process serves it, say.
  package func reasonNotOpen(_ session: SessionIdentifier) -> SceneError {
    core.directory.notOpen(session)
  }

  /// Tells the observers that the store has lost acknowledged changes of a session.
  package func reportLoss(of session: SessionIdentifier) {
    core.events.report(
      session,
      .failed(
        SceneError(
          .notDurable, session: session,
          "the database has lost the session's last acknowledged changes")))
  }

  /// Sessions that were let go and are on their way.
  package struct Departures: Sendable {
    fileprivate struct One: Sendable {
      let session: SessionIdentifier
      let handle: SessionHandle
      /// What its scene was, and when it was active last.
      let standing: HandedOverSessions.Standing?
      let lastActivated: UInt64
      let ticket = CompletionTicket()
    }

    fileprivate var all: [One] = []

    fileprivate var handedOver: HandedOverSessions {
      var sessions = HandedOverSessions()
      sessions.count = all.count
      sessions.connected = all.sorted { $0.lastActivated < $1.lastActivated }.compactMap { one in
        one.standing.map { HandedOverSessions.Connected(one.session, $0) }
      }
      return sessions
    }
  }

  /// Decides in one step that sessions go.
  private func part(
    where isLeaving: (SessionIdentifier) -> Bool, captures: Bool
  ) throws(SceneError) -> Departures {
    let (left, sleepers) = try core.gate.withLock { (gate) throws(SceneError) in
      guard gate.phase == .running else { throw ApplicationCore.notRunning }
      var left = Departures()
      gate.ledger.forEachOpen { handle, record in
        let session = core.directory.identifier(handle)
        guard isLeaving(session) else { return }
        left.all.append(
          .init(
            session: session, handle: handle, standing: record.state.standing,
            lastActivated: record.lastActivated))
      }
      var sleepers: [Sleeper] = []
      for departure in left.all {
        if captures {
          sleepers += archive(departure.handle, &gate)
        } else {
          let slot = Int32(departure.handle.slot(core.directory.shardBits))
          core.directory.mailbox(departure.handle).state.withLock { _ = $0.fenced.insert(slot) }
        }
        let admitted = gate.destroy(
          departure.session, departure.handle, captures ? .handedOver : .fenced,
          Reporting(ticket: .completion(departure.ticket)))
        if let sleeper = admitted.sleeper { sleepers.append(sleeper) }
      }
      return (left, sleepers)
    }
    for sleeper in sleepers { sleeper.wake() }
    return left
  }

  /// Waits until sessions have gone.
  private func wait(for departures: Departures) async -> [SessionIdentifier] {
    let shards = Set(departures.all.map { $0.handle.shard(core.directory.shardBits) })
    for shard in shards.sorted() { await application.commands.drain(shard) }
    for departure in departures.all { _ = try? await departure.ticket.value() }
    return departures.all.map(\.session)
  }

  /// Decides that a session's scene goes to the background, is captured and disconnected, as if the
  /// system took it; no condition of the session ends it by that.
  ///
  /// - Returns: What is to be woken.
  private func archive(_ handle: SessionHandle, _ gate: inout Admitter) -> [Sleeper] {
    var sleepers = [gate.sendToBackground(handle, Reporting())?.sleeper]
    if gate.ledger[handle].state.isConnected {
      gate.ledger.disconnect(handle)
      let plan = Plan(
        goal: .disconnected, reason: .handedOver, decisions: gate.ledger[handle].decisions)
      sleepers.append(gate.append(plan, handle))
    }
    return sleepers.compactMap(\.self)
  }
}

extension Application {
  /// What exchanges sessions with other processes.
  package nonisolated var slices: SliceExchange { SliceExchange(application: self) }
}
