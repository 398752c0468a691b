// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumTestKit

/// What the system does: it takes memory back, ends the process, moves the clock.
extension LifecycleModel {
  mutating func carryOutSystem(_ command: ModelCommand) {
    switch command {
    case .disconnect(let label): disconnectBySystem(label)
    case .pressure(let count): relieve(count)
    case .kill:
      for session in sessions.values where session.scene != nil {
        log.edges.insert("\(session.state.letter)→killed")
      }
      endProcess()
    case .terminate: terminate()
    case .discardWhileDown(let label):
      store[label] = nil
      pendingDiscards.insert(label)
      log.edges.insert("archived→discarding")
    case .lock: isLocked = true
    case .unlock: unlock()
    case .tick: tick()
    case .advance(let seconds): advance(seconds)
    default: break
    }
  }

  private mutating func disconnectBySystem(_ label: ModelLabel) {
    guard let scene = sessions[label]?.scene else { return }
    if isParked(label) || scene.extensions > 0 {
      doubts.append("a disconnect during an extended restoration")
    }
    guard scene.state == .background else { return report("disconnect", "notInBackground") }
    disconnect(label)
  }

  /// Disconnects the least recently active scenes of the background (R-DIS-4).
  private mutating func relieve(_ count: Int) {
    let candidates = labels { $0.state == .background && $0.scene?.extensions == 0 }
    if announcements.values.contains(where: { candidates.contains($0.session) }) {
      doubts.append("pressure on a scene that waits for a hand-off")
    }
    let order = candidates.sorted { lastActivation(of: $0) < lastActivation(of: $1) }
    if order.count > count, count > 0,
      lastActivation(of: order[count - 1]) == lastActivation(of: order[count])
    {
      doubts.append("a tie between victims")
    }
    let victims = order.prefix(count)
    if !victims.isEmpty { forEachUnordered(victims.sorted()) { $0.disconnect($1) } }
  }

  private mutating func terminate() {
    if sessions.values.contains(where: { $0.scene?.extensions ?? 0 > 0 }) {
      doubts.append("termination during an extended restoration")
    }
    let connected = labels { $0.scene != nil }
    if !connected.isEmpty { forEachUnordered(connected) { $0.disconnect($1) } }
    write("app.willTerminate")
    if setup.notes != .none { write("app.note(willTerminate)") }
    write("process.exit")
    endProcess()
  }

  private mutating func unlock() {
    isLocked = false
    for label in labels(where: { $0.waitsForUnlock && $0.end == nil }) {
      if store[label]?.activity != nil { log.situations.insert("read after the unlock") }
      sessions[label]?.waitsForUnlock = false
      sessions[label]?.row.activity = store[label]?.activity
    }
  }

  // MARK: - Refresh

  private mutating func tick() {
    let pending = labels(where: \.hasPendingRefresh)
    for label in pending where sessions[label]?.scene == nil && !reconfigure(label) {
      doubts.append("a refresh of a session without a configuration")
    }
    if !pending.isEmpty { forEachUnordered(pending) { $0.refresh($1) } }
  }

  /// Fulfils a refresh: connects the scene if it is needed, asks for its state, takes a snapshot
  /// (R-RF-4).
  private mutating func refresh(_ label: ModelLabel) {
    if isLocked { doubts.append("a refresh while protected data is unavailable") }
    sessions[label]?.hasPendingRefresh = false
    if state(of: label) == .unattached {
      log.situations.insert("connected for a refresh")
      connect(label, nil)
    }
    if setup.dancesForSnapshots {
      if sessions[label]?.scene?.extensions != 0 {
        doubts.append("a snapshot in the foreground during an extended restoration")
      }
      willEnterForeground(label)
      enterBackground(label)
      log.edges.insert("B→I→B")
    }
    captureState(label)
    takeSnapshots(label)
  }

  // MARK: - Time

  private mutating func advance(_ seconds: Double) {
    now += seconds
    let late = labels { session in
      guard let scene = session.scene, scene.extensions > 0, let since = scene.extendedSince else {
        return false
      }
      return now >= since + setup.restorationLimit
    }
    if !late.isEmpty { forEachUnordered(late) { $0.timeOut($1) } }
  }

  /// Ends a restoration that took too long (R-EXT-1).
  private mutating func timeOut(_ label: ModelLabel) {
    if isLocked { doubts.append("a time-out while protected data is unavailable") }
    let plan = sessions[label]?.scene?.held
    log.touched.insert(label)
    report("restore", "restorationTimedOut")
    disconnect(label)
    persist(label, \.activity, nil)
    log.situations.insert(plan?.victim == nil ? "timed out" : "timed out with a victim")
    if let victim = plan?.victim { retire(victim) }
    if let end = sessions[label]?.end { destroy(label, end) }
  }
}
