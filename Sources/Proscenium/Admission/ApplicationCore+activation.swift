// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Activation, and the making of sessions (section 2.6).
extension ApplicationCore {
  func activate(
    _ request: SceneSessionActivationRequest, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let event = request.userActivity.map { SceneEvent.activity($0) }
    let requester = request.options.requestingScene
    let approach = Approach(requester: requester, event: event)
    if let session = request.session {
      let handle = try require(session)
      try checkPolicy(
        .activation(session, catalog.role(gate.ledger[handle].role)), requester, gate)
      return try bringForward(handle, approach, reporting, &gate)
    }
    // R-REQ-2: only a session that prefers the content is used again.
    let choice = try router.chooseForActivation(
      event?.targetContentIdentifier, role: try catalog.index(of: request.role),
      source: requester.flatMap { find($0) })
    try checkPolicy(
      .activation(choice.session.map { identifier($0) }, request.role), requester, gate)
    if let chosen = choice.session { return try bringForward(chosen, approach, reporting, &gate) }
    let options = request.options
    let joins = options.collectionJoinBehavior
    let inherited = joins == .disallowed ? nil : requester.flatMap { find($0) }.flatMap(group)
    return try openSession(
      Command.NewSession(
        role: request.role, group: options.group ?? inherited, requester: requester, event: event,
        goal: joins == .preferredWithoutActivating ? .connected : .foreground),
      reporting, &gate)
  }

  private func group(_ handle: SessionHandle) -> SceneGroup? {
    mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)].details.group }
  }

  /// Asks the host's policy about a request of the program (section 1.14).
  func checkPolicy(
    _ request: PolicyQuestion.Request, _ requester: SessionIdentifier?, _ gate: borrowing Gate
  ) throws(SceneError) {
    guard let allows = settings.allowsRequest else { return }
    let state: Scene.ActivationState? =
      switch requester.flatMap({ find($0) }).map({ gate.ledger[$0].state }) {
      case .active?: .foregroundActive
      case .inactive?: .foregroundInactive
      case .background?: .background
      default: nil
      }
    let question = PolicyQuestion(
      request: request, requestingScene: requester, requestingState: state)
    if !allows(question) {
      throw SceneError(.refusedByPolicy, "the host's policy refuses the request")
    }
  }

  /// Brings an open session to the foreground, and an event to it.
  func bringForward(
    _ handle: SessionHandle, _ approach: Approach, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    let before = gate.ledger[handle].state
    let role = catalog.role(gate.ledger[handle].role)
    let becomesActive = role.becomesActive && approach.goal == .foreground
    if before == .active, approach.goal == .held { return follow(handle, reporting, &gate) }
    let goal: SessionLedger.State = becomesActive ? .active : .inactive
    if before == goal, approach.event == nil, !reporting.isAwaited { return Admitted() }
    var question: ConfigurationQuestion?
    let isReconnection = before == .archived
    if isReconnection {
      if isUnresolvable(handle) {
        let new = Command.NewSession(
          role: role, group: group(handle), requester: approach.requester, event: approach.event,
          goal: approach.goal)
        var reporting = reporting
        if reporting.routing != nil {
          reporting.routing = RoutingDecision(rule: .new, session: nil)
        }
        return replace(handle, with: .newSession(new), reporting, &gate)
      }
      if let turn = try beginReconnection(handle, reporting.reconnecting, &gate) {
        return Admitted(turn: turn)
      }
      question = takeQuestion(handle, approach.event, gate)
    }
    let activation = gate.ledger.activate(
      handle, requester: approach.requester.flatMap { find($0) }, becomesActive: becomesActive)
    stand(handle, gate)
    standVictim(of: activation, gate)
    gate.record(
      .activated(
        identifier(handle), isNew: false, group: nil, requester: approach.requester,
        event: approach.event, victim: victim(of: activation)))
    let plan = Plan(
      goal: approach.goal, isNewWork: true, isReconnection: isReconnection,
      decisions: activation.decisions,
      partner: partner(of: activation), activation: activation.counter ?? 0,
      lastActivation: activation.lastCounter,
      ticket: reporting.ticket,
      cargo: reporting.cargo(approach.event.map { .event($0) }, question: question))
    let sleeper = append(plan, handle, isConnected: true, &gate)
    return ask(question, Admitted(handle: handle, sleeper: sleeper))
  }

  /// Makes a session and its first plan.
  func openSession(
    _ new: Command.NewSession, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    try checkNewSession(gate)
    let first = try catalog.first(for: new.role)
    let roleIndex = try catalog.index(of: new.role)
    var entry = ShardMailbox.Entry()
    entry.identifier = newIdentifier()
    entry.configuration = first.index
    // Where the application delegate chooses, its answer decides.
    entry.isUnresolvable = !asksConfiguration && !first.isResolvable
    entry.details.group = new.group
    entry.isOpen = true
    let handle = gate.ledger.open(
      role: roleIndex, group: new.group, spread: entry.identifier.spread)
    if let conditions = first.initialConditions?(Scene.ConnectionOptions(new.event)) {
      entry.details.activationConditions = conditions
    }
    enter(entry, handle)
    var question: ConfigurationQuestion?
    if asksConfiguration {
      question = ConfigurationQuestion(
        session: session(entry), options: Scene.ConnectionOptions(new.event), isFirst: true)
    }
    let plan = admitFirst(new, entry, handle, question, reporting, &gate)
    insert(handle, entry.details.activationConditions, gate)
    let sleeper = append(plan, handle, isConnected: true, &gate)
    return ask(question, Admitted(handle: handle, sleeper: sleeper))
  }

  /// Makes a new session known to the router.
  private func insert(
    _ handle: SessionHandle, _ conditions: SceneActivationConditions, _ gate: borrowing Gate
  ) {
    let record = gate.ledger[handle]
    router.insert(handle, role: record.role, record.standing, conditions)
    // Whoever knew the identifier can have changed them before the router knew the session.
    let latest = self.entry(handle).details.activationConditions
    if latest != conditions { router.setConditions(handle, latest) }
  }

  /// Decides where a new session goes, and makes its first plan.
  private func admitFirst(
    _ new: Command.NewSession, _ entry: ShardMailbox.Entry, _ handle: SessionHandle,
    _ question: ConfigurationQuestion?, _ reporting: Reporting, _ gate: inout Gate
  ) -> Plan {
    let cargo = reporting.cargo(new.event.map { .event($0) }, question: question)
    guard new.goal.isForeground else {
      _ = gate.ledger.connect(handle)
      gate.record(.connected(entry.identifier))
      return Plan(
        goal: new.goal, isFirst: true, isNewWork: true, decisions: gate.ledger[handle].decisions,
        ticket: reporting.ticket, cargo: cargo)
    }
    let activation = gate.ledger.activate(
      handle, requester: new.requester.flatMap { find($0) },
      becomesActive: new.role.becomesActive && new.goal == .foreground)
    standVictim(of: activation, gate)
    gate.record(
      .activated(
        entry.identifier, isNew: true, group: new.group, requester: new.requester,
        event: new.event, victim: victim(of: activation)))
    return Plan(
      goal: new.goal, isFirst: true, isNewWork: true, decisions: activation.decisions,
      partner: partner(of: activation), activation: activation.counter ?? 0,
      lastActivation: activation.lastCounter,
      ticket: reporting.ticket, cargo: cargo)
  }

  /// R-DD-1, R-DD-2: a drop never goes to a session that is open.
  func drop(
    _ event: SceneEvent, _ reporting: Reporting, _ gate: inout Gate
  ) throws(SceneError) -> Admitted {
    if case .activity(let activity) = event, !rules.isDeclared(activity.activityType) {
      var admitted = Admitted()
      admitted.undeclared = activity.activityType
      return admitted
    }
    return try openSession(Command.NewSession(event: event), reporting, &gate)
  }

  private func checkNewSession(_ gate: borrowing Gate) throws(SceneError) {
    guard let code = gate.ledger.refusalOfNewSession() else { return }
    throw SceneError(
      code,
      code == .quotaReached
        ? "the host allows \(settings.sessionQuota ?? 0) open sessions"
        : "the manifest does not support multiple scenes and a session is open")
  }

  private func newIdentifier() -> SessionIdentifier {
    while true {
      let identifier = settings.identifiers.next()
      if find(identifier, in: .any) == nil { return identifier }
    }
  }

  // MARK: - Configuration

  /// The question that the application delegate is to be asked before an open session connects
  /// for the first time in this run (R-CON-1).
  func takeQuestion(
    _ handle: SessionHandle, _ event: SceneEvent?, _ gate: borrowing Gate
  ) -> ConfigurationQuestion? {
    guard asksConfiguration else { return nil }
    let slot = handle.slot(shardBits)
    let entry = mailbox(handle).state.withLock { state -> ShardMailbox.Entry? in
      guard state.entries[slot].isToBeAsked else { return nil }
      state.entries[slot].isToBeAsked = false
      return state.entries[slot]
    }
    return entry.map {
      ConfigurationQuestion(
        session: session($0), options: Scene.ConnectionOptions(event), isFirst: false)
    }
  }

  /// Queues a question for the application delegate, once its plan is queued.
  func ask(_ question: ConfigurationQuestion?, _ admitted: Admitted) -> Admitted {
    guard let question, let handle = admitted.handle else { return admitted }
    applicationQueue.append(.ask(question, handle))
    var admitted = admitted
    admitted.asksConfiguration = true
    return admitted
  }

  /// Whether nothing makes a scene for a session any more, and nobody is asked what could
  /// (R-CFG-6).
  func isUnresolvable(_ handle: SessionHandle) -> Bool {
    mailbox(handle).state.withLock { state in
      let entry = state.entries[handle.slot(shardBits)]
      return entry.isUnresolvable && !(asksConfiguration && entry.isToBeAsked)
    }
  }

  /// R-CFG-6 (3): a session that cannot be shown any more is discarded, and a new one made if one
  /// is needed.
  func replace(
    _ handle: SessionHandle, with command: Command?, _ reporting: Reporting, _ gate: inout Gate
  ) -> Admitted {
    let identifier = identifier(handle)
    gate.ledger.discard(handle)
    gate.record(.destroyed(identifier))
    let replacement = command.map { Replacement(command: $0, reporting: reporting) }
    let waiting = replacement == nil ? reporting : Reporting()
    let plan = Plan(
      goal: .destroyed, reason: .unresolvableConfiguration, ticket: waiting.ticket,
      cargo: Plan.Cargo(
        delivery: nil, question: nil, onFailure: waiting.onFailure, others: waiting.others,
        replacement: replacement))
    let sleeper = append(plan, handle, isConnected: false, &gate)
    router.remove(handle)
    return Admitted(handle: handle, sleeper: sleeper, tellsDiscard: hasApplicationDelegate)
  }

  // MARK: - Activations that take long

  /// Takes back that a session became active: its restoration is extended (R-EXT-1).
  func withdrawActivation(of handle: SessionHandle, _ plan: Plan) {
    guard plan.activation > 0 else { return }
    gate.withLock { gate in
      // Unless it has been activated once more since.
      guard gate.ledger[handle].lastActivated == plan.activation else { return }
      gate.ledger.withdrawActivation(handle, to: plan.lastActivation)
      stand(handle, gate)
    }
  }

  /// Counts a session as active from now on, after it was held up.
  func renewActivation(of handle: SessionHandle) -> UInt64 {
    gate.withLock { gate in
      let activation = gate.ledger.renewActivation(handle)
      stand(handle, gate)
      return activation
    }
  }

  // MARK: - Places

  /// Tells the router where a session stands from now on.
  func stand(_ handle: SessionHandle, _ gate: borrowing Gate) {
    router.setStanding(handle, gate.ledger[handle].standing)
  }

  private func standVictim(of activation: SessionLedger.Activation, _ gate: borrowing Gate) {
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
