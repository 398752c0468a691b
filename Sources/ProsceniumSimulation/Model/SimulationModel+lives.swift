// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// What the disk has of a session.
struct SimulatedRow: Sendable {
  var group: Int
  var recency: Int
  var counts: MessageCounts?
}

// What holds from one process to the next, and when nothing is in flight.
extension SimulationModel {
  /// Begins a life with what the disk has.
  ///
  /// - Parameters:
  ///   - disk: The sessions that are open on the disk.
  ///   - pending: Those that were discarded since the last life.
  mutating func beginLife(_ disk: [Int: SimulatedRow], pending: Set<Int>) {
    for number in sessions.indices.dropFirst() {
      let session = sessions[number]
      let row = disk[number]
      if session.isGone, row != nil { find("session \(number) is back after its discard") }
      if session.mustBeKept, row == nil, !pending.contains(number) {
        find("session \(number) is lost")
      }
      var next = SimulatedSession()
      next.group = row?.group ?? session.group
      next.isOpen = row != nil
      next.isGone = row == nil
      next.isKept = row != nil
      next.states = session.states
      next.acknowledged = session.acknowledged
      next.drops = session.drops
      next.wakes = session.wakes
      next.isDamaged = session.isDamaged
      next.taken = .unknown
      next.refused = session.refused
      next.lastUse = session.lastUse
      next.durableUse = session.durableUse
      sessions[number] = next
    }
    pendingDiscards = pending
    records = []
    forgetPlaces()
    isOver = false
  }

  /// Takes note that all saved states are dropped: the program could not be brought back with them.
  mutating func dropStates() {
    for number in sessions.indices { sessions[number].drop() }
  }

  /// Ends a life in the middle of things.
  mutating func cut() {
    isOver = true
    rules.isTakenOver = false
    for number in sessions.indices {
      sessions[number].wakes.endLife(isInOrder: false)
      sessions[number].lastUse = sessions[number].durableUse
    }
    if sessions.contains(where: \.isConnected) { coverage.add(.transition, "any > killed") }
  }

  /// Checks a life whose clients have stopped, with everything done that was accepted.
  ///
  /// - Parameters:
  ///   - visible: The open sessions, and the states of their scenes.
  ///   - time: The time by the calendar.
  ///   - isLocked: Whether protected data is locked: what wakes a session is a part of it.
  mutating func settle(_ visible: [Int: SceneState], at time: Duration, isLocked: Bool) {
    for number in sessions.indices.dropFirst() {
      let session = sessions[number]
      if session.isOpen != (visible[number] != nil) {
        find("session \(number) is \(session.isOpen ? "open, and not" : "not open, but") shown")
      }
      if session.owesDiscard {
        find("session \(number) was destroyed, and its discard was not reported")
      }
      if let state = visible[number], state != session.state {
        find("the scene of session \(number) is shown as \(state), and is \(session.state)")
      }
      if session.isOpen, !session.isUnreadable, !rules.isTakenOver, !isLocked {
        for wake in session.wakes.missing(at: time) {
          find("session \(number) was not woken by \(wake), which is due")
        }
      }
      if session.extensions == 0, !session.isUnreadable { checkMessages(of: number) }
    }
    for number in pendingDiscards.sorted() {
      find("session \(number) was discarded while nothing ran, and was not reported")
    }
  }

  /// Each message that was accepted came once, or was reported as lost since the session ended.
  private mutating func checkMessages(of number: Int) {
    let session = sessions[number]
    for client in 0..<Self.clientLimit
    where session.taken[client] >= 0 && session.guesses[client] == 0 {
      let missing = session.accepted[client] - session.taken[client]
      if missing > 0, missing != session.lost[client] || session.isOpen {
        find(
          "of client \(client)'s messages to session \(number), \(session.accepted[client]) were "
            + "accepted, \(session.taken[client]) came and \(session.lost[client]) were lost")
      }
    }
  }

  /// Checks what the disk has after an end in order: everything.
  mutating func endInOrder(_ disk: [Int: SimulatedRow]) {
    isOver = true
    for number in sessions.indices.dropFirst() {
      let session = sessions[number]
      if session.isConnected { find("session \(number) is connected after the end") }
      sessions[number].wakes.endLife(isInOrder: true)
      sessions[number].durableUse = session.lastUse
      guard session.isOpen else {
        if disk[number] != nil { find("session \(number) ended, and the disk has it") }
        sessions[number].isGone = true
        continue
      }
      guard let row = disk[number] else {
        find("session \(number) is open, and the disk does not have it")
        continue
      }
      sessions[number].isKept = true
      if session.isDamaged { continue }
      // What no scene was restored from in this life is as it was.
      if session.wasConnected, row.counts != session.lastState {
        find(
          "the disk has session \(number) with \(row.counts?.text ?? "nothing"), and "
            + "\(session.lastState?.text ?? "nothing") was captured")
      }
      if session.wasConnected { sessions[number].states = [session.lastState] }
    }
  }

  /// Compares the callbacks of this life with what the decisions alone say.
  ///
  /// - Parameters:
  ///   - rules: What the application was like.
  ///   - disk: What the disk had at the beginning.
  ///   - newest: The largest number of a session at the beginning.
  ///   - isCut: Whether the life ended in the middle of things.
  mutating func compare(
    with rules: AdmissionReplay.Rules, _ disk: [Int: SimulatedRow], newest: Int, isCut: Bool
  ) {
    var replay = AdmissionReplay(
      rules, sessions: disk.mapValues(AdmissionReplay.Session.init), newest: newest,
      records: records)
    replay.take(records)
    for finding in replay.findings { find(finding) }
    guard replay.findings.isEmpty else { return }
    for number in 1..<max(replay.calls.count, 1) {
      let right = replay.calls[number].filter { $0.callback != .restore && $0.callback != .capture }
      let found = sessions[number].calls
      if found == right || isCut && right.starts(with: found) { continue }
      let place = zip(found, right).prefix { $0 == $1 }.count
      find(
        "callback \(place) of session \(number) was \(found.text(at: place)), and the decisions "
          + "say \(right.text(at: place))")
    }
  }
}

extension AdmissionReplay.Session {
  fileprivate init(_ row: SimulatedRow) {
    self.init()
    group = row.group
    recency = row.recency
    standing = .archived
    saved = row.counts == nil ? 0 : 1
  }
}

extension [SceneCall] {
  fileprivate func text(at place: Int) -> String {
    indices.contains(place) ? self[place].description : "nothing"
  }
}

/// A callback that has used up its budget: whose it is, and how long it took.
struct SlowCall: Sendable, Equatable {
  var session: Int
  var duration: Duration
}

// A callback that takes too long is reported before anything else happens, and no other one is.
extension SimulationModel {
  /// Takes note of how long a callback takes.
  mutating func spend(_ duration: Duration, _ number: Int) {
    guard let budget = rules.budget, duration >= budget else { return }
    owedReport = SlowCall(session: number, duration: duration)
  }

  /// Takes note of the report of a slow callback; on one thread it is seen only after its return.
  mutating func report(_ slow: SlowCall, isRunning: Bool) {
    let owed = owedReport.take()
    if owed != slow || isRunning {
      find("a callback of session \(slow.session) was reported as slow: \(slow.duration)")
    }
  }

  /// Checks that nothing is owed between two steps.
  mutating func checkReports() {
    guard let slow = owedReport.take() else { return }
    find("a callback of session \(slow.session) took \(slow.duration), and was not reported")
  }
}
