// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// What became of a command that was admitted.
struct Admitted: Sendable {
  /// The session, or nil if there was nothing to do.
  var handle: SessionHandle?
  /// The shard's own task, to be woken if nobody helps.
  var sleeper: Sleeper?
  /// Whether the application delegate has been asked for a configuration.
  var asksConfiguration = false
  /// Whether the application delegate will be told of a discard.
  var tellsDiscard = false
  /// What is to be logged once the gate is open again.
  var diagnostic: Diagnostic?
}

/// Where the outcome of a command is reported.
struct Reporting: Sendable {
  var ticket: Ticket<SceneSession>?
  var onFailure: (@Sendable (SceneError) -> Void)?

  /// Whether somebody waits, so that even a command with nothing to do has to follow what is
  /// queued.
  var isAwaited: Bool { ticket != nil }

  func cargo(
    event: SceneEvent? = nil, question: ConfigurationQuestion? = nil
  ) -> Plan.Cargo? {
    if event == nil, question == nil, onFailure == nil { return nil }
    return Plan.Cargo(event: event, question: question, onFailure: onFailure)
  }
}

extension ApplicationCore {
  /// Decides a command and appends its plan, in one step behind the gate.
  ///
  /// - Throws: The refusal; nothing has happened then.
  func admit(_ command: Command, _ reporting: Reporting) throws(SceneError) -> Admitted {
    // Found again behind the gate, where it counts; by then it need not be fetched from memory.
    if let session = command.session { _ = find(session) }
    let admitted = try gate.withLock { (gate) throws(SceneError) -> Admitted in
      try admit(command, reporting, &gate)
    }
    admitted.diagnostic?.log(to: log)
    noteResidualPredicates()
    return admitted
  }

  /// The same for whoever holds the gate.
  func admit(
    _ command: Command, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    do throws(SceneError) {
      try checkPhase(&gate, command)
      return try decide(command, reporting, &gate)
    } catch {
      gate.record(.refused(error))
      throw error
    }
  }

  private func checkPhase(_ gate: inout Gate, _ command: Command) throws(SceneError) {
    switch gate.phase {
    case .running: break
    case .closing where !command.isNewWork: return
    case .idle, .launching, .closing, .ended:
      throw Self.notRunning
    }
    guard command.isNewWork else { return }
    if writer.isBehind {
      throw SceneError(.systemBusy, "the store is behind with its changes; try again later")
    }
    guard gate.admittedWork - gate.finishedWork >= settings.requestLimit else {
      return
    }
    gate.finishedWork = mailboxes.reduce(0) { $0 + $1.finishedWork.load(ordering: .relaxed) }
    if gate.admittedWork - gate.finishedWork >= settings.requestLimit {
      throw SceneError(
        .systemBusy, "\(settings.requestLimit) requests are unfinished; try again later")
    }
  }

  func decide(
    _ command: Command, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    switch command {
    case .activate(let request): return try activate(request, reporting, &gate)
    case .newSession(let role, let group):
      return try openSession(role, group: group, requester: nil, event: nil, reporting, &gate)
    case .event(let event, let source): return try route(event, source, reporting, &gate)
    case .refresh(let session): return try refresh(session, reporting, &gate)
    case .destroy(let session, let reason): return try destroy(session, reason, reporting, &gate)
    case .background(let session): return try background(session, reporting, &gate)
    case .interrupt(let session): return try interrupt(session, true, reporting, &gate)
    case .resume(let session): return try interrupt(session, false, reporting, &gate)
    case .disconnect(let session, let reason):
      return try disconnect(session, reason, reporting, &gate)
    case .deliver(let work, let session): return try deliver(work, session, &gate)
    case .connect(let session): return try connect(session, reporting, &gate)
    }
  }

  /// Appends a plan, counts it, and notes in the session's entry whether it has a scene from now
  /// on.
  func append(
    _ plan: Plan, _ handle: SessionHandle, isConnected: Bool, _ gate: inout Gate
  ) -> Sleeper? {
    if plan.isNewWork { gate.admittedWork += 1 }
    let slot = handle.slot(shardBits)
    let item = ShardItem(slot: Int32(slot), work: .plan(plan))
    let isAwaited = plan.ticket != nil
    return mailbox(handle).state.withLock { state in
      state.entries[slot].isConnected = isConnected
      state.incoming.append(item)
      return isAwaited ? nil : state.doorbell.ring()
    }
  }

  // MARK: - Activation (section 2.6)

  private func activate(
    _ request: SceneSessionActivationRequest, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let event = request.userActivity.map { SceneEvent.activity($0) }
    let requester = request.options.requestingScene
    if let session = request.session {
      return bringForward(
        try require(session), requester: requester, event: event, reporting, &gate)
    }
    // R-REQ-2: only a session that prefers the content is used again.
    let choice = try router.chooseForActivation(
      event?.targetContentIdentifier, role: try catalog.index(of: request.role),
      source: requester.flatMap { find($0) })
    if let chosen = choice.session {
      return bringForward(chosen, requester: requester, event: event, reporting, &gate)
    }
    return try openSession(
      request.role, group: request.options.group, requester: requester, event: event, reporting,
      &gate)
  }

  func bringForward(
    _ handle: SessionHandle, requester: SessionIdentifier?, event: SceneEvent?,
    _ reporting: Reporting, _ gate: inout Gate
  ) -> Admitted {
    let before = gate.ledger[handle].state
    let role = catalog.role(gate.ledger[handle].role)
    let goal: SessionLedger.State = role.becomesActive ? .active : .inactive
    if before == goal, event == nil, !reporting.isAwaited { return Admitted() }
    let activation = gate.ledger.activate(
      handle, requester: requester.flatMap { find($0) }, becomesActive: role.becomesActive)
    stand(handle, gate)
    standVictim(of: activation, gate)
    gate.record(
      .activated(
        identifier(handle), isNew: false, group: nil, requester: requester, event: event,
        victim: victim(of: activation)))
    let plan = Plan(
      goal: .foreground, isNewWork: true, decisions: activation.decisions,
      partner: partner(of: activation), activation: activation.counter,
      ticket: reporting.ticket, cargo: reporting.cargo(event: event))
    return Admitted(handle: handle, sleeper: append(plan, handle, isConnected: true, &gate))
  }

  func openSession(
    _ role: SceneSession.Role, group: SceneGroup?, requester: SessionIdentifier?,
    event: SceneEvent?, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    try checkNewSession(gate)
    let named = SceneConfiguration(name: nil, sessionRole: role)
    let configuration = catalog.manifest.resolve(named)
    let index = try catalog.index(of: configuration)
    let roleIndex = try catalog.index(of: role)
    let requesting = requester.flatMap { find($0) }
    let group = group ?? requesting.flatMap { self.entry($0).details.group }
    var entry = ShardMailbox.Entry()
    entry.identifier = newIdentifier()
    entry.configuration = index
    entry.details.group = group
    entry.isOpen = true
    let handle = gate.ledger.open(
      role: roleIndex, group: group, spread: entry.identifier.spread)
    if let conditions = configuration.initialConditions?(Scene.ConnectionOptions(event)) {
      entry.details.activationConditions = conditions
    }
    enter(entry, handle)
    var question: ConfigurationQuestion?
    var diagnostic: Diagnostic?
    if !gate.asksConfiguration, configuration.makeDelegate == nil {
      diagnostic = .configurationNotFound(configuration, entry.identifier)
    }
    if gate.asksConfiguration {
      question = ConfigurationQuestion(
        session: session(entry), options: Scene.ConnectionOptions(event))
    }
    let activation = gate.ledger.activate(
      handle, requester: requesting, becomesActive: role.becomesActive)
    router.insert(
      handle, role: roleIndex, gate.ledger[handle].standing, entry.details.activationConditions)
    standVictim(of: activation, gate)
    gate.record(
      .activated(
        entry.identifier, isNew: true, group: group, requester: requester, event: event,
        victim: victim(of: activation)))
    let plan = Plan(
      goal: .foreground, isFirst: true, isNewWork: true, decisions: activation.decisions,
      partner: partner(of: activation), activation: activation.counter,
      ticket: reporting.ticket,
      cargo: reporting.cargo(event: event, question: question))
    let sleeper = append(plan, handle, isConnected: true, &gate)
    if let question { applicationQueue.append(.ask(question, handle)) }
    return Admitted(
      handle: handle, sleeper: sleeper, asksConfiguration: question != nil,
      diagnostic: diagnostic)
  }

  private func checkNewSession(_ gate: Gate) throws(SceneError) {
    guard let code = gate.ledger.refusalOfNewSession() else { return }
    throw SceneError(
      code,
      code == .requestDenied
        ? "the host allows \(settings.sessionQuota ?? 0) open sessions"
        : "the manifest does not support multiple scenes and a session is open")
  }

  private func newIdentifier() -> SessionIdentifier {
    while true {
      let identifier = settings.identifiers.next()
      if find(identifier) == nil { return identifier }
    }
  }

  /// Tells the router where a session stands from now on.
  func stand(_ handle: SessionHandle, _ gate: Gate) {
    router.setStanding(handle, gate.ledger[handle].standing)
  }

  private func standVictim(of activation: SessionLedger.Activation, _ gate: Gate) {
    guard let partner = activation.partner, partner.kind == .victim else { return }
    stand(partner.handle, gate)
  }

  private func victim(of activation: SessionLedger.Activation) -> SessionIdentifier? {
    guard let partner = activation.partner, partner.kind == .victim else { return nil }
    return identifier(partner.handle)
  }

  private func partner(of activation: SessionLedger.Activation) -> Plan.Partner? {
    activation.partner.map { partner in
      if partner.kind == .victim {
        // The victim keeps its scene; only the ledger has moved it.
        precondition(
          partner.handle.shard(shardBits) == activation.handle.shard(shardBits),
          "sessions that can displace one another share a shard")
      }
      return Plan.Partner(slot: Int32(partner.handle.slot(shardBits)), session: partner)
    }
  }
}
