// SPDX-License-Identifier: Apache-2.0

// Plans: which callbacks a decision comes to.
extension AdmissionReplay {
  mutating func carryOut(_ record: DecisionRecord, _ victim: Int) {
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
  mutating func handOver(_ session: Int, from victim: Int, activity: Int) {
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

  mutating func call(_ session: Int, _ callback: SceneCallback, _ activity: Int = 0) {
    calls[session].append(SceneCall(callback, sessions[session].state, activity))
  }

  /// Connection and foreground (SEQ-CONNECT, SEQ-FOREGROUND).
  mutating func goToForeground(_ session: Int, activity: Int) {
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

  mutating func connect(_ session: Int, activity: Int) {
    guard !sessions[session].isLost, sessions[session].state == .unattached else { return }
    sessions[session].captures = sessions[session].saved
    call(session, .connect, activity)
    sessions[session].isChanged = Rules.needsCapture(session)
    sessions[session].state = .background
    if sessions[session].saved != 0 { call(session, .restore, sessions[session].saved) }
  }

  mutating func resign(_ session: Int) {
    guard sessions[session].state == .active else { return }
    call(session, .willResignActive)
    sessions[session].state = .inactive
  }

  /// Background and capture (SEQ-BACKGROUND).
  mutating func goToBackground(_ session: Int) {
    resign(session)
    guard sessions[session].state == .inactive else { return }
    sessions[session].state = .background
    call(session, .didEnterBackground)
    capture(session)
  }

  mutating func capture(_ session: Int) {
    call(session, .capture)
    sessions[session].isChanged = false
    sessions[session].captures = (sessions[session].captures + 1) & 0xFFFF
    sessions[session].saved =
      Rules.capturesNothing(session) ? 0 : sessions[session].captures
  }

  /// Disconnection (SEQ-DISCONNECT, R-DIS-3): captured again if the state was marked since.
  mutating func disconnect(_ session: Int) {
    guard sessions[session].state == .background else { return }
    if sessions[session].isChanged { capture(session) }
    sessions[session].state = .unattached
    call(session, .disconnect)
  }

  /// R-DST-2: no background entry and no capture.
  mutating func destroy(_ session: Int) {
    resign(session)
    guard sessions[session].state != .unattached else { return }
    sessions[session].state = .unattached
    call(session, .disconnect)
  }

  /// R-RF-4.
  mutating func refresh(_ session: Int) {
    guard !sessions[session].isLost else { return }
    connect(session, activity: 0)
    guard sessions[session].state == .background else { return }
    if rules.dances {
      call(session, .willEnterForeground)
      call(session, .didEnterBackground)
    }
    capture(session)
  }
}
