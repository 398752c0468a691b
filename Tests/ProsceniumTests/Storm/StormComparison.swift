// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Synchronization

@testable import Proscenium

/// Compares what was seen of a storm with what its replay says.
struct StormComparison {
  private let stage: StormStage
  private let played: Played
  private let logs: [Int: StormLog]
  private var replay: AdmissionReplay
  private(set) var findings: [String] = []

  init(_ stage: StormStage, _ played: Played) {
    self.stage = stage
    self.played = played
    logs = stage.allLogs
    let records = stage.trace.records
    replay = AdmissionReplay(
      .init(capacity: stage.plan.capacity, groups: stage.plan.groups), records: records)
    replay.take(records.prefix(played.view.decisions))
    compareView()
    replay.take(records.dropFirst(played.view.decisions))
    findings += stage.findings + replay.findings
    guard replay.findings.isEmpty else { return }
    compareCalls()
    compareHandOvers()
    compareGroups()
    compareMessages()
    compareCounts()
  }

  private mutating func find(_ finding: String) {
    if findings.count < 20 { findings.append(finding) }
  }

  private mutating func expect<Value: Equatable>(_ found: Value, _ right: Value, _ what: String) {
    if found != right { find("\(what): \(found), not \(right)") }
  }

  /// How much of what is rare has happened.
  var summary: String {
    "\(replay.sessions.count - 1) sessions, \(replay.handOvers.count) hand-overs, "
      + "\(replay.failures) failures (\(replay.kept) victims stayed, \(replay.left) left)"
  }

  // MARK: - The visible view

  private mutating func compareView() {
    guard replay.findings.isEmpty else { return }
    var states: [Int: SceneState] = [:]
    var rows: [Int: StormView.Row] = [:]
    for (number, session) in replay.sessions.enumerated() where session.standing.isOpen {
      states[number] = session.state
      rows[number] = StormView.Row(
        group: session.group, recency: session.recency, saved: session.saved)
      if !session.hasArrived {
        find("session \(number) is to be \(session.standing), its scene is \(session.state)")
      }
    }
    let view = played.view
    for number in Set(states.keys).union(view.states.keys).sorted() {
      let right = states[number].map { "\($0)" } ?? "gone"
      expect(view.states[number].map { "\($0)" } ?? "gone", right, "session \(number)")
    }
    for number in Set(rows.keys).union(view.rows.keys).sorted() {
      let right = rows[number].map { "\($0)" } ?? "none"
      expect(view.rows[number].map { "\($0)" } ?? "none", right, "row of session \(number)")
    }
    expect(view.connected, states.values.count { $0 != .unattached }, "connected scenes")
    let application: Application.State =
      states.values.contains(.active)
      ? .active : states.values.contains(.inactive) ? .inactive : .background
    expect(view.application, application, "state of the application")
    expect(view.leftovers, 0, "requests, messages and lanes that are left")
    expect(view.misplaced, 0, "sessions that are elsewhere for the router")
    expect(view.isCounted, true, "a policy that knows all scenes")
  }

  // MARK: - Callbacks

  private mutating func compareCalls() {
    for number in replay.sessions.indices.dropFirst() {
      let right = replay.calls[number]
      let found = logs[number]?.entries.map(\.call) ?? []
      if found == right { continue }
      let first = zip(found, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      let position = first ?? min(found.count, right.count)
      let range = max(position - 4, 0)..<position + 2
      find(
        "session \(number) of group \(replay.sessions[number].group), callback \(position): "
          + "\(found.part(range)), not \(right.part(range))")
    }
  }

  /// R-SW-1: the victim resigns before the newcomer hears anything; the newcomer has become active
  /// before the victim enters the background.
  private mutating func compareHandOvers() {
    for change in replay.handOvers {
      guard let victim = logs[change.victim]?.entries,
        let newcomer = logs[change.newcomer]?.entries,
        newcomer.indices.contains(change.ends)
      else { continue }
      let seen = newcomer[change.begins...change.ends]
      // R-AGG-1: the application does not leave the foreground in between.
      if change.resigns != nil, seen.contains(where: { !$0.isApplicationActive }) {
        find("the application was not active when \(change.newcomer) followed \(change.victim)")
      }
      if let resigns = change.resigns, victim.indices.contains(resigns),
        victim[resigns].sequence > newcomer[change.begins].sequence
      {
        find("session \(change.newcomer) came before \(change.victim) resigned")
      }
      if let leaves = change.leaves, victim.indices.contains(leaves),
        victim[leaves].sequence < newcomer[change.ends].sequence
      {
        find("session \(change.victim) left before \(change.newcomer) was active")
      }
    }
  }

  /// Goes through the callbacks of each group in their order: never more scenes are active than the
  /// capacity, nor in the foreground except in the middle of a hand-over.
  private mutating func compareGroups() {
    var handOvers: Set<[Int]> = []
    for change in replay.handOvers { handOvers.insert([change.newcomer, change.begins]) }
    var timelines = stage.groups.map {
      Array(repeating: (session: 0, position: 0), count: $0.callbacks.load(ordering: .relaxed))
    }
    for (number, log) in logs {
      for (position, entry) in log.entries.enumerated() {
        timelines[log.group][entry.sequence] = (number, position)
      }
    }
    for (group, timeline) in timelines.enumerated() {
      walk(timeline, group, handOvers)
    }
  }

  private mutating func walk(
    _ timeline: [(session: Int, position: Int)], _ group: Int, _ handOvers: Set<[Int]>
  ) {
    var foreground: Set<Int> = []
    var active: Set<Int> = []
    // Where the callbacks of the plan that brings a session to the foreground began.
    var began: [Int: Int] = [:]
    for (session, position) in timeline {
      guard let callback = logs[session]?.entries[position].call.callback else { continue }
      switch callback {
      case .connect: began[session] = position
      case .willEnterForeground:
        let start = began.removeValue(forKey: session) ?? position
        let isHandOver =
          handOvers.contains([session, position]) || handOvers.contains([session, start])
        let room = stage.plan.capacity + (isHandOver ? 1 : 0)
        foreground.insert(session)
        if foreground.count > room {
          find("group \(group) shows \(foreground.sorted()) when session \(session) comes")
        }
      case .didBecomeActive:
        active.insert(session)
        if active.count > stage.plan.capacity { find("group \(group): \(active.sorted()) active") }
      case .willResignActive: active.remove(session)
      case .didEnterBackground, .disconnect: foreground.remove(session)
      case .restore, .proceed, .capture: break
      }
    }
  }

  // MARK: - Messages

  private mutating func compareMessages() {
    let senders = stage.senders + stage.groups.map(\.sender)
    var arrivals = senders.map { Array(repeating: UInt8(0), count: $0.fates.count) }
    for (session, log) in logs {
      var last: [Int: Int] = [:]
      for message in log.messages {
        if message.session != session { find("\(message) came to session \(session)") }
        if message.number <= last[message.sender] ?? -1 { find("\(message) came late, or again") }
        last[message.sender] = message.number
        arrivals[message.sender][message.number] += 1
      }
    }
    for message in played.losses.messages { arrivals[message.sender][message.number] += 1 }
    for sender in senders {
      for (number, fate) in sender.fates.enumerated() {
        let right = fate == .refused ? 0 : 1
        if arrivals[sender.number][number] != right {
          find(
            "message \(number) of sender \(sender.number) was \(fate) and came "
              + "\(arrivals[sender.number][number]) times")
        }
      }
    }
  }

  // MARK: - Counts

  private mutating func compareCounts() {
    let plan = stage.plan
    let misconfigured = replay.sessions.indices.dropFirst().filter(plan.isMisconfigured)
    expect(replay.failures, misconfigured.count, "failed configurations")
    expect(stage.errors[.roleMismatch] ?? 0, misconfigured.count, "reported role mismatches")
    expect(played.losses.activities, replay.lostActivities, "lost activities")
    if plan.configuration != .manifest {
      expect(stage.discards.load(ordering: .relaxed), replay.discards, "discards")
      let opened = replay.sessions.count - 1
      expect(stage.questions.load(ordering: .relaxed), opened, "questions for a configuration")
    }
    for (code, count) in stage.errors.sorted(by: { $0.key.description < $1.key.description }) {
      let isExpected =
        code.uiKitCode == 1
        || [.systemBusy, .notInBackground, .roleMismatch, .lost].contains(code)
      if !isExpected { find("\(count) times \(code)") }
    }
    for (refusal, count) in replay.refusals where refusal == .notInBackground {
      expect(stage.errors[.notInBackground] ?? 0, count, "reported notInBackground")
    }
    expect(stage.delegates.load(ordering: .relaxed), 0, "live delegates")
    expect(stage.liveScenes, 0, "live scenes")
    for (number, group) in stage.groups.enumerated() {
      expect(group.active.load(ordering: .relaxed), 0, "active scenes of group \(number)")
      expect(group.foreground.load(ordering: .relaxed), 0, "foreground of group \(number)")
    }
  }
}

extension AdmissionReplay.Session {
  /// Whether the scene is where the last decision wants it.
  var hasArrived: Bool {
    switch standing {
    case .unknown, .gone, .archived: state == .unattached
    case .background: state == .background
    case .inactive: state == .inactive
    case .active: state == .active
    }
  }
}

extension [SceneCall] {
  func part(_ range: Range<Int>) -> String {
    "\(indices.clamped(to: range).map { self[$0].description })"
  }
}
