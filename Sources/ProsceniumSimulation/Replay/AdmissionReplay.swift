// SPDX-License-Identifier: Apache-2.0

/// Takes every decision again, in the order of admission, and works out from the
/// semantics alone which callbacks each session must have had.
///
/// It shares nothing with the runtime: one thread, no queues, no lanes. Since it knows the whole
/// order in advance, it knows of each new session whether its configuration will fail, so that
/// plans can be carried out in the moment of their decision.
package struct AdmissionReplay {
  /// What the application is like.
  package struct Rules: Sendable {
    /// How many scenes of one group may be in the foreground.
    package var capacity: Int
    /// How many numbered groups there are, the default group included.
    package var groups: Int
    /// Whether there is one session at most.
    package var isSingleScene = false
    /// Whether a refresh goes through UIKit's snapshot pass.
    package var dances = false

    /// Makes the rules of an application.
    package init(capacity: Int, groups: Int) {
      self.capacity = capacity
      self.groups = groups
    }

    /// Whether the scene's delegate marks its state as changed when it connects.
    package static func needsCapture(_ session: Int) -> Bool { session % 4 == 1 }

    /// Whether the scene's delegate returns no state.
    package static func capturesNothing(_ session: Int) -> Bool { session % 5 == 0 }
  }

  /// Where a session will be once everything that was admitted has run.
  package enum Standing: UInt8, Sendable {
    /// From never having been to being over.
    case unknown, archived, background, inactive, active, gone

    /// Whether the session can be named.
    package var isOpen: Bool { self != .unknown && self != .gone }
    var isForeground: Bool { self == .inactive || self == .active }
  }

  /// What was decided about a session, and what has come of it.
  package struct Session: Sendable {
    package var group = 0
    package var standing = Standing.unknown
    /// The value of the activation counter when it was last activated.
    package var recency = 0
    /// How often something was decided about it.
    package var decisions = 0
    /// Whether its configuration fails, so that it is never reported.
    package var isLost = false
    // What its scene has come to.
    package var state = SceneState.unattached
    package var isChanged = false
    package var captures = 0
    /// The number of the activity that was captured last, 0 for none.
    package var saved = 0

    /// Makes a session about which nothing was decided.
    package init() {}
  }

  /// How a new session whose configuration fails came to the foreground.
  private struct Opening {
    var decisions: Int
    var victim: Int
    var victimDecisions: Int
    var victimStanding: Standing
  }

  /// Two sessions that changed places, by the positions of their callbacks (R-SW-1).
  package struct HandOver: Sendable {
    package let victim: Int
    package let newcomer: Int
    /// The position of the victim's `willResignActive`, if it was active.
    package var resigns: Int?
    package var begins = 0
    package var ends = 0
    package var leaves: Int?
  }

  let rules: Rules
  package internal(set) var sessions: [Session] = [Session()]
  package internal(set) var calls: [[SceneCall]] = [[]]
  package internal(set) var handOvers: [HandOver] = []
  package internal(set) var findings: [String] = []
  package internal(set) var refusals: [DecisionRecord.Refusal: Int] = [:]
  package internal(set) var failures = 0
  /// How many victims of sessions that failed kept their place, and how many left it.
  package internal(set) var kept = 0
  package internal(set) var left = 0
  package internal(set) var discards = 0
  /// Activities that were admitted for sessions that never opened.
  package internal(set) var lostActivities = 0
  private var foregrounds: [[Int]]
  private var counter = 0
  var outcomes: [Int: Bool] = [:]
  private var openings: [Int: Opening] = [:]
  private var position = 0
  /// The refreshes that were dropped, and whether a message that counted on the scene of one had it
  /// connected all the same.
  private var droppedRefreshes: [Int: Bool] = [:]

  /// Makes a replay that has taken no decision yet.
  ///
  /// - Parameters:
  ///   - rules: What the application is like.
  ///   - kept: The sessions that the store kept, by their numbers.
  ///   - newest: The largest number that was given to a session before.
  ///   - records: Everything that was decided: some decisions mean what later ones say.
  package init(
    _ rules: Rules, sessions kept: [Int: Session] = [:], newest: Int = 0, records: [DecisionRecord]
  ) {
    self.rules = rules
    foregrounds = Array(repeating: [], count: rules.groups)
    sessions += (0..<newest).map { kept[$0 + 1] ?? Session() }
    calls += (0..<newest).map { _ in [] }
    counter = sessions.map(\.recency).max() ?? 0
    noteDroppedRefreshes(records)
    for record in records where record.kind == .failed {
      if outcomes.updateValue(record.victimLeaves, forKey: Int(record.session)) != nil {
        findings.append("session \(record.session) failed twice")
      }
    }
  }

  /// R-RF-6: the newest refresh of a session was dropped if a record says so later.
  private mutating func noteDroppedRefreshes(_ records: [DecisionRecord]) {
    var newest: [UInt32: Int] = [:]
    // By session and how much had been decided about it.
    var dropped: [[UInt32]: Int] = [:]
    for (position, record) in records.enumerated() {
      switch record.kind {
      case .refreshed: newest[record.session] = position
      case .refreshDropped:
        guard let refresh = newest.removeValue(forKey: record.session) else { continue }
        droppedRefreshes[refresh] = false
        dropped[[record.session, records[refresh].decisions]] = refresh
      case .reconnected:
        let refresh = dropped.removeValue(forKey: [record.session, record.decisions])
        if let refresh { droppedRefreshes[refresh] = true }
      default: break
      }
    }
  }

  /// Takes up records, in order, until something is wrong.
  package mutating func take(_ records: some Sequence<DecisionRecord>) {
    for record in records where findings.isEmpty {
      decide(record)
      position += 1
    }
  }

  private mutating func find(_ finding: String) {
    findings.append("decision \(position): \(finding)")
  }

  // MARK: - Decisions

  private mutating func decide(_ record: DecisionRecord) {
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
    // Who is woken without a scene was connected by the decision before.
    case .woken: if standing == .archived { find("session \(session) is woken without a scene") }
    case .refused, .refreshDropped, .reconnected: break
    }
  }

  private mutating func require(_ isRight: Bool, _ record: DecisionRecord, _ standing: Standing) {
    if !isRight { find("\(record.kind) of session \(record.session), which is \(standing)") }
  }

  /// A refusal by meaning must be right; one for load cannot be judged from here.
  private mutating func refuse(_ record: DecisionRecord) {
    refusals[record.refusal, default: 0] += 1
    let session = Int(record.session)
    let standing = session < sessions.count ? sessions[session].standing : .unknown
    switch record.refusal {
    case .denied where standing.isOpen && !rules.isSingleScene:
      find("session \(session) was denied, but is \(standing)")
    case .notInBackground where !standing.isForeground:
      find("session \(session) was not disconnected, but is \(standing)")
    case .multipleScenesNotSupported where rules.isSingleScene: break
    case .other, .notRunning, .multipleScenesNotSupported:
      find("a refusal that nothing explains: \(record)")
    case .denied, .notInBackground, .systemBusy: break
    }
  }

  private mutating func open(_ record: DecisionRecord) {
    guard Int(record.session) == sessions.count else {
      return find("session \(record.session) is not the next one")
    }
    var new = Session()
    new.group = Int(record.group)
    new.standing = .archived
    new.isLost = outcomes[Int(record.session)] != nil
    let requester = Int(record.requester)
    // New sessions with an odd activity name no group of their own.
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

  private mutating func activate(_ record: DecisionRecord) {
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
    guard all.count >= rules.capacity else { return 0 }
    let others = all.filter { $0 != requester }
    return (others.isEmpty ? all : others)
      .min { sessions[$0].recency < sessions[$1].recency } ?? 0
  }

  /// R-CFG-4: the victim keeps its place if nothing was decided about either of the two since.
  private mutating func fail(_ record: DecisionRecord) {
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
