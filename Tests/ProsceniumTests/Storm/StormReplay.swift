// SPDX-License-Identifier: Apache-2.0

/// Takes every decision of a storm again, in the order of admission, and works out from the
/// semantics alone which callbacks each session must have had.
///
/// It shares nothing with the runtime: one thread, no queues, no lanes. Since it knows the whole
/// order in advance, it knows of each new session whether its configuration will fail, so that
/// plans can be carried out in the moment of their decision.
struct StormReplay {
  /// Where a session will be once everything that was admitted has run.
  enum Standing: UInt8 {
    case unknown, archived, background, inactive, active, gone

    var isOpen: Bool { self != .unknown && self != .gone }
    var isForeground: Bool { self == .inactive || self == .active }
  }

  struct Session {
    var group = 0
    var standing = Standing.unknown
    /// The value of the activation counter when it was last activated.
    var recency = 0
    /// How often something was decided about it.
    var decisions = 0
    /// Whether its configuration fails, so that nobody ever hears of it.
    var isLost = false
    // What its scene has come to.
    var state = StormState.unattached
    var isChanged = false
    var captures = 0
    /// The number of the activity that was captured last, 0 for none.
    var saved = 0
  }

  /// How a new session whose configuration fails came to the foreground.
  private struct Opening {
    var decisions: Int
    var victim: Int
    var victimDecisions: Int
    var victimStanding: Standing
  }

  /// Two sessions that changed places, by the positions of their callbacks (R-SW-1).
  struct HandOver {
    let victim: Int
    let newcomer: Int
    /// Where the victim's `willResignActive` stands, if it was active.
    var resigns: Int?
    var begins = 0
    var ends = 0
    var leaves: Int?
  }

  let plan: StormPlan
  private(set) var sessions: [Session] = [Session()]
  private(set) var calls: [[StormCall]] = [[]]
  private(set) var handOvers: [HandOver] = []
  private(set) var findings: [String] = []
  private(set) var refusals: [StormRecord.Refusal: Int] = [:]
  private(set) var failures = 0
  /// How many victims of sessions that failed kept their place, and how many left it.
  private(set) var kept = 0
  private(set) var left = 0
  private(set) var discards = 0
  /// Activities that were admitted for sessions that never opened.
  private(set) var lostActivities = 0
  private var foregrounds: [[Int]]
  private var counter = 0
  private var outcomes: [Int: Bool] = [:]
  private var openings: [Int: Opening] = [:]
  private var position = 0
  /// The refreshes that were dropped, and whether a message that counted on the scene of one had it
  /// connected all the same.
  private var droppedRefreshes: [Int: Bool] = [:]

  init(_ plan: StormPlan, records: [StormRecord]) {
    self.plan = plan
    foregrounds = Array(repeating: [], count: plan.groups)
    noteDroppedRefreshes(records)
    for record in records where record.kind == .failed {
      if outcomes.updateValue(record.victimLeaves, forKey: Int(record.session)) != nil {
        findings.append("session \(record.session) failed twice")
      }
    }
  }

  /// R-RF-6: the newest refresh of a session was dropped if a record says so later.
  private mutating func noteDroppedRefreshes(_ records: [StormRecord]) {
    var newest: [UInt32: Int] = [:]
    var dropped: [UInt32: Int] = [:]
    for (position, record) in records.enumerated() {
      switch record.kind {
      case .refreshed: newest[record.session] = position
      case .refreshDropped:
        guard let refresh = newest.removeValue(forKey: record.session) else { continue }
        droppedRefreshes[refresh] = false
        dropped[record.session] = refresh
      case .reconnected:
        guard let refresh = dropped.removeValue(forKey: record.session) else { continue }
        droppedRefreshes[refresh] = true
      default: break
      }
    }
  }

  /// Takes up records, in order, until something is wrong.
  mutating func take(_ records: some Sequence<StormRecord>) {
    for record in records where findings.isEmpty {
      decide(record)
      position += 1
    }
  }

  private mutating func find(_ finding: String) {
    findings.append("decision \(position): \(finding)")
  }

  // MARK: - Decisions

  private mutating func decide(_ record: StormRecord) {
    let session = Int(record.session)
    guard record.kind != .refused else { return refuse(record) }
    if record.kind == .refreshDropped || record.kind == .reconnected { return }
    if record.kind == .opened { open(record) }
    guard session < sessions.count, session > 0 else {
      return find("\(record.kind) of session \(session), which never was")
    }
    let standing = sessions[session].standing
    guard standing.isOpen || record.kind == .failed else {
      return find("\(record.kind) of session \(session), which is \(standing)")
    }
    switch record.kind {
    case .opened, .activated: activate(record)
    case .background:
      require(standing.isForeground, record, standing)
      leaveForeground(session)
      stand(session, .background)
      goToBackground(session)
    case .interrupted:
      require(standing == .active, record, standing)
      stand(session, .inactive)
      resign(session)
    case .resumed:
      require(standing == .inactive, record, standing)
      activateAgain(session)
      goToForeground(session, activity: 0)
    case .disconnected:
      require(standing == .background, record, standing)
      stand(session, .archived)
      disconnect(session)
    case .destroyed:
      leaveForeground(session)
      stand(session, .gone)
      if !sessions[session].isLost { discards += 1 }
      destroy(session)
    case .refreshed:
      require(!standing.isForeground, record, standing)
      if standing == .archived { stand(session, .background) }
      switch droppedRefreshes[position] {
      case nil: refresh(session)
      case true?: connect(session, activity: 0)
      case false?: break
      }
    case .connected:
      require(standing == .archived, record, standing)
      stand(session, .background)
      connect(session, activity: 0)
    case .failed: fail(record)
    case .refused, .refreshDropped, .reconnected: break
    }
  }

  private mutating func require(_ isRight: Bool, _ record: StormRecord, _ standing: Standing) {
    if !isRight { find("\(record.kind) of session \(record.session), which is \(standing)") }
  }

  /// A refusal by meaning must be right; one for load cannot be judged from here.
  private mutating func refuse(_ record: StormRecord) {
    refusals[record.refusal, default: 0] += 1
    let session = Int(record.session)
    let standing = session < sessions.count ? sessions[session].standing : .unknown
    switch record.refusal {
    case .requestDenied where standing.isOpen:
      find("session \(session) was denied, but is \(standing)")
    case .notInBackground where !standing.isForeground:
      find("session \(session) was not disconnected, but is \(standing)")
    case .other, .notRunning: find("a refusal that nothing explains: \(record)")
    case .requestDenied, .notInBackground, .systemBusy: break
    }
  }

  private mutating func open(_ record: StormRecord) {
    guard Int(record.session) == sessions.count else {
      return find("session \(record.session) is not the next one")
    }
    var new = Session()
    new.group = Int(record.group)
    new.standing = .archived
    new.isLost = outcomes[Int(record.session)] != nil
    let requester = Int(record.requester)
    // A storm's new sessions with an odd activity name no group of their own.
    if record.activity % 2 == 1 {
      let isOpen = requester < sessions.count && sessions[requester].standing.isOpen
      let inherited = isOpen ? sessions[requester].group : 0
      if inherited != new.group {
        find("session \(record.session) is in group \(new.group), not in \(inherited)")
      }
    }
    sessions.append(new)
    calls.append([])
  }

  private mutating func activate(_ record: StormRecord) {
    let session = Int(record.session)
    var victim = 0
    if !sessions[session].standing.isForeground {
      victim = chooseVictim(sessions[session].group, requester: Int(record.requester))
    }
    guard victim == Int(record.victim) else {
      return find("session \(session): \(record.victim) gives way, not \(victim)")
    }
    let victimStanding = sessions[victim].standing
    if !sessions[session].standing.isForeground {
      foregrounds[sessions[session].group].append(session)
    }
    if victim != 0 {
      leaveForeground(victim)
      stand(victim, .background)
    }
    activateAgain(session)
    if record.kind == .opened, sessions[session].isLost {
      openings[session] = Opening(
        decisions: sessions[session].decisions, victim: victim,
        victimDecisions: sessions[victim].decisions, victimStanding: victimStanding)
    }
    carryOut(record, victim)
  }

  /// R-ACTV-2: who was active least recently, of the group's foreground without the requester; the
  /// requester only if there is no other.
  ///
  /// 0 if there is room.
  private func chooseVictim(_ group: Int, requester: Int) -> Int {
    let all = foregrounds[group]
    guard all.count >= plan.capacity else { return 0 }
    let others = all.filter { $0 != requester }
    return (others.isEmpty ? all : others)
      .min { sessions[$0].recency < sessions[$1].recency } ?? 0
  }

  /// R-CFG-4: the victim keeps its place if nothing was decided about either of the two since.
  private mutating func fail(_ record: StormRecord) {
    let session = Int(record.session)
    guard let opening = openings.removeValue(forKey: session) else {
      return find("session \(session) failed without having been opened")
    }
    failures += 1
    let victim = opening.victim
    let isUndecided =
      sessions[session].decisions == opening.decisions
      && sessions[victim].decisions == opening.victimDecisions
    guard record.victimLeaves == (victim != 0 && !isUndecided) else {
      return find("session \(session) failed; wrong about its victim \(victim)")
    }
    leaveForeground(session)
    stand(session, .gone)
    if victim != 0, !isUndecided { left += 1 }
    if victim != 0, isUndecided {
      kept += 1
      foregrounds[sessions[victim].group].append(victim)
      sessions[victim].standing = opening.victimStanding
    }
  }

  private mutating func stand(_ session: Int, _ standing: Standing) {
    sessions[session].standing = standing
    sessions[session].decisions += 1
  }

  private mutating func activateAgain(_ session: Int) {
    if sessions[session].standing != .active {
      counter += 1
      sessions[session].recency = counter
    }
    stand(session, .active)
  }

  private mutating func leaveForeground(_ session: Int) {
    foregrounds[sessions[session].group].removeAll { $0 == session }
  }
}

// MARK: - Plans

extension StormReplay {
  private mutating func carryOut(_ record: StormRecord, _ victim: Int) {
    let session = Int(record.session)
    let activity = Int(record.activity)
    guard sessions[session].isLost else {
      if victim == 0 { return goToForeground(session, activity: activity) }
      return handOver(session, from: victim, activity: activity)
    }
    if activity != 0 { lostActivities += 1 }
    // Of a session that never opens only the first plan can leave the victim its place.
    let staysInPlace = record.kind == .opened && outcomes[session] == false
    if victim != 0, !staysInPlace { goToBackground(victim) }
  }

  /// R-SW-1.
  private mutating func handOver(_ session: Int, from victim: Int, activity: Int) {
    var change = HandOver(victim: victim, newcomer: session)
    if sessions[victim].state == .active { change.resigns = calls[victim].count }
    resign(victim)
    change.begins = calls[session].count
    goToForeground(session, activity: activity)
    change.ends = calls[session].count - 1
    if sessions[victim].state == .inactive { change.leaves = calls[victim].count }
    goToBackground(victim)
    handOvers.append(change)
  }

  private mutating func call(_ session: Int, _ callback: StormCallback, _ activity: Int = 0) {
    calls[session].append(StormCall(callback, sessions[session].state, activity))
  }

  /// Sections 2.2 and 2.3.
  private mutating func goToForeground(_ session: Int, activity: Int) {
    guard !sessions[session].isLost else { return }
    var owed = activity
    if sessions[session].state == .unattached {
      connect(session, activity: activity)
      owed = 0
    }
    if sessions[session].state == .background {
      call(session, .willEnterForeground)
      sessions[session].state = .inactive
    }
    if owed != 0 { call(session, .proceed, owed) }
    if sessions[session].state == .inactive {
      sessions[session].state = .active
      call(session, .didBecomeActive)
    }
  }

  private mutating func connect(_ session: Int, activity: Int) {
    guard !sessions[session].isLost, sessions[session].state == .unattached else { return }
    sessions[session].captures = sessions[session].saved
    call(session, .connect, activity)
    sessions[session].isChanged = StormPlan.needsCapture(session)
    sessions[session].state = .background
    if sessions[session].saved != 0 { call(session, .restore, sessions[session].saved) }
  }

  private mutating func resign(_ session: Int) {
    guard sessions[session].state == .active else { return }
    call(session, .willResignActive)
    sessions[session].state = .inactive
  }

  /// Section 2.4.
  private mutating func goToBackground(_ session: Int) {
    resign(session)
    guard sessions[session].state == .inactive else { return }
    sessions[session].state = .background
    call(session, .didEnterBackground)
    capture(session)
  }

  private mutating func capture(_ session: Int) {
    call(session, .capture)
    sessions[session].isChanged = false
    sessions[session].captures = (sessions[session].captures + 1) & 0xFFFF
    sessions[session].saved =
      StormPlan.capturesNothing(session) ? 0 : sessions[session].captures
  }

  /// Section 2.5, R-DIS-3: captured once more if the state was marked since.
  private mutating func disconnect(_ session: Int) {
    guard sessions[session].state == .background else { return }
    if sessions[session].isChanged { capture(session) }
    sessions[session].state = .unattached
    call(session, .disconnect)
  }

  /// R-DST-2: no background entry and no capture.
  private mutating func destroy(_ session: Int) {
    resign(session)
    guard sessions[session].state != .unattached else { return }
    sessions[session].state = .unattached
    call(session, .disconnect)
  }

  /// R-RF-4.
  private mutating func refresh(_ session: Int) {
    guard !sessions[session].isLost else { return }
    connect(session, activity: 0)
    if sessions[session].state == .background { capture(session) }
  }
}
