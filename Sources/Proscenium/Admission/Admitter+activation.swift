// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// Activations, and the making of sessions (semantics#activation).
extension Admitter {
  mutating func activate(
    _ request: SceneSessionActivationRequest, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let event = request.userActivity.map { SceneEvent.activity($0) }
    let requester = request.options.requestingScene
    let approach = Approach(requester: requester, event: event)
    if let session = request.session {
      let handle = try directory.require(session)
      try checkPolicy(
        request.decided(for: session, catalog.role(ledger[handle].role)), requester)
      return try bringForward(handle, approach, reporting)
    }
    // R-REQ-2: only a session that prefers the content is used again.
    let role = try catalog.index(of: request.role)
    let choice = try SceneError.routed { () throws(RoutingRefusal) in
      try router.chooseForActivation(
        event?.targetContentIdentifier, role: role,
        source: requester.flatMap { directory.find($0) })
    }
    try checkPolicy(
      request.decided(for: choice.session.map { directory.identifier($0) }, request.role),
      requester)
    let options = request.options
    let owner =
      options.owner ?? requester.flatMap { directory.find($0) }.flatMap(ledger.owners.owner)
    // What belongs to one user is not shown to another.
    if let chosen = choice.session, owner == nil || ledger.owners.owner(of: chosen) == owner {
      return try bringForward(chosen, approach, reporting)
    }
    let joins = options.collectionJoinBehavior
    let inherited =
      joins == .disallowed ? nil : requester.flatMap { directory.find($0) }.flatMap(directory.group)
    var new = Command.NewSession(
      role: request.role, group: options.group ?? inherited, owner: owner, requester: requester,
      event: event, goal: joins == .preferredWithoutActivating ? .connected : .foreground)
    if settings.sliceDuties?.neighbours != nil { new.content = request.sharedContent }
    return try openSession(new, reporting)
  }

  /// Asks the host's policy about a request of the program (semantics#errors).
  func checkPolicy(
    _ request: @autoclosure () -> SessionRequest, _ requester: SessionIdentifier?
  ) throws(SceneError) {
    guard let allows = settings.allowsRequest else { return }
    let state: Scene.ActivationState? =
      switch requester.flatMap({ directory.find($0) }).map({ ledger[$0].state }) {
      case .active?: .foregroundActive
      case .inactive?: .foregroundInactive
      case .background?: .background
      default: nil
      }
    if !allows(request(), state) {
      throw SceneError(.refusedByPolicy, "the host's policy refuses the request")
    }
  }

  /// Brings an open session to the foreground, and an event to it.
  mutating func bringForward(
    _ handle: SessionHandle, _ approach: Approach, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    let before = ledger[handle].state
    let role = catalog.role(ledger[handle].role)
    let becomesActive = role.becomesActive && approach.goal == .foreground
    if before == .active, approach.goal == .held { return follow(handle, reporting) }
    let goal: SessionLedger.State = becomesActive ? .active : .inactive
    if before == goal, approach.event == nil, !reporting.isAwaited { return Admitted() }
    var question: ConfigurationQuestion?
    let isReconnection = before == .archived
    if isReconnection {
      if directory.isUnresolvable(handle, asksConfiguration: asksConfiguration) {
        let new = Command.NewSession(
          role: role, group: directory.group(handle), owner: ledger.owners.owner(of: handle),
          requester: approach.requester,
          event: approach.event,
          goal: approach.goal)
        var reporting = reporting
        if reporting.routing != nil {
          reporting.routing = RoutingDecision(rule: .new, session: nil)
        }
        return replace(handle, with: .newSession(new), reporting)
      }
      if let turn = try beginReconnection(handle, reporting.reconnecting) {
        return Admitted(turn: turn)
      }
      if asksConfiguration { question = directory.takeQuestion(handle, approach.event) }
    }
    let activation = ledger.activate(
      handle, requester: approach.requester.flatMap { directory.find($0) },
      becomesActive: becomesActive)
    rank(handle)
    if let victim = activation.victim { rank(victim) }
    record(
      .activated(
        directory.identifier(handle), isNew: false, group: nil, requester: approach.requester,
        event: approach.event, victim: activation.victim.map(directory.identifier)))
    let plan = Plan(
      goal: approach.goal, isNewWork: true, isReconnection: isReconnection,
      decisions: activation.decisions,
      partner: Plan.Partner(activation, directory.shardBits), activation: activation.counter ?? 0,
      lastActivation: activation.lastCounter,
      ticket: reporting.ticket,
      cargo: reporting.cargo(approach.event.map { .event($0) }, question: question))
    let sleeper = append(plan, handle)
    return Admitted(handle: handle, sleeper: sleeper).asking(question, in: ports.applicationQueue)
  }

  /// Makes a session and its first plan.
  mutating func openSession(
    _ new: Command.NewSession, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    if let owner = new.owner, !(1...SceneSession.ownerSizeLimit).contains(owner.utf8.count) {
      throw SceneError(
        .limitExceeded,
        "expected an owner of 1 to \(SceneSession.ownerSizeLimit) bytes, found "
          + "\(owner.utf8.count)")
    }
    try ledger.checkNewSession(of: new.owner)
    let first = try catalog.first(for: new.role)
    let roleIndex = try catalog.index(of: new.role)
    var entry = ShardMailbox.Entry()
    let place = settings.sliceDuties?.place
    entry.identifier = try directory.newIdentifier(from: settings.identifiers) {
      (identifier) throws(SceneError) in
      try place?(identifier, new.placement) ?? identifier
    }
    entry.configuration = first.index
    // Where the application delegate chooses, its answer decides.
    entry.flags[.isUnresolvable] = !asksConfiguration && !first.isResolvable
    entry.details.group = new.group
    if let owner = new.owner { entry.details.owner = owner }
    entry.flags[.isOpen] = true
    let handle = ledger.open(
      role: roleIndex, group: new.group, owner: new.owner, spread: entry.identifier.spread)
    if let conditions = first.initialConditions?(Scene.ConnectionOptions(new.event)) {
      entry.details.activationConditions = conditions
    }
    directory.enter(entry, handle)
    var question: ConfigurationQuestion?
    if asksConfiguration {
      question = ConfigurationQuestion(
        session: directory.session(entry), options: Scene.ConnectionOptions(new.event),
        isFirst: true)
    }
    let plan = admitFirst(new, entry, handle, question, reporting)
    insert(handle, entry.details.activationConditions)
    let sleeper = append(plan, handle)
    return Admitted(handle: handle, sleeper: sleeper).asking(question, in: ports.applicationQueue)
  }

  /// Makes a new session known to the router.
  private func insert(
    _ handle: SessionHandle, _ conditions: SceneActivationConditions
  ) {
    let record = ledger[handle]
    router.insert(handle, role: record.role, record.rank, conditions)
    // A caller that knew the identifier can have changed them before the router knew the session.
    let latest = directory.entry(handle).details.activationConditions
    if latest != conditions { router.setConditions(handle, latest) }
  }

  /// Decides where a new session goes, and makes its first plan.
  private mutating func admitFirst(
    _ new: Command.NewSession, _ entry: ShardMailbox.Entry, _ handle: SessionHandle,
    _ question: ConfigurationQuestion?, _ reporting: Reporting
  ) -> Plan {
    let cargo = reporting.cargo(new.event.map { .event($0) }, question: question)
    guard new.goal.isForeground else {
      _ = ledger.connect(handle)
      record(.connected(entry.identifier))
      return Plan(
        goal: new.goal, isFirst: true, isNewWork: true, decisions: ledger[handle].decisions,
        ticket: reporting.ticket, cargo: cargo)
    }
    let activation = ledger.activate(
      handle, requester: new.requester.flatMap { directory.find($0) },
      becomesActive: new.role.becomesActive && new.goal == .foreground)
    if let victim = activation.victim { rank(victim) }
    record(
      .activated(
        entry.identifier, isNew: true, group: new.group, requester: new.requester,
        event: new.event, victim: activation.victim.map(directory.identifier)))
    return Plan(
      goal: new.goal, isFirst: true, isNewWork: true, decisions: activation.decisions,
      partner: Plan.Partner(activation, directory.shardBits), activation: activation.counter ?? 0,
      lastActivation: activation.lastCounter,
      ticket: reporting.ticket, cargo: cargo)
  }

  /// R-DD-1, R-DD-2: a drop never goes to a session that is open.
  mutating func drop(
    _ event: SceneEvent, _ reporting: Reporting
  ) throws(SceneError) -> Admitted {
    if case .activity(let activity) = event, !rules.isDeclared(activity.activityType) {
      var admitted = Admitted()
      admitted.undeclared = activity.activityType
      return admitted
    }
    return try openSession(Command.NewSession(event: event), reporting)
  }

  /// R-CFG-6 (3): a session that cannot be shown any more is discarded, and a new one made if one
  /// is needed.
  mutating func replace(
    _ handle: SessionHandle, with command: Command?, _ reporting: Reporting
  ) -> Admitted {
    let identifier = directory.identifier(handle)
    ledger.discard(handle)
    record(.destroyed(identifier))
    let replacement = command.map { Replacement(command: $0, reporting: reporting) }
    let waiting = replacement == nil ? reporting : Reporting()
    let plan = Plan(
      goal: .destroyed, reason: .unresolvableConfiguration, ticket: waiting.ticket,
      cargo: Plan.Cargo(
        delivery: nil, question: nil, onFailure: waiting.onFailure, others: waiting.others,
        replacement: replacement))
    let sleeper = append(plan, handle)
    router.remove(handle)
    return Admitted(handle: handle, sleeper: sleeper, tellsDiscard: rules.hasApplicationDelegate)
  }

  /// Tells the router the rank that a session has from now on.
  func rank(_ handle: SessionHandle) {
    router.setRank(handle, ledger[handle].rank)
  }
}
