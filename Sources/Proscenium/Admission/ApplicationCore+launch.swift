// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

// The beginning and the end: what passes the gate when.
extension ApplicationCore {
  /// What is left to do outside the gate once the launch has opened it.
  private struct Opening {
    var admitted: [Admitted] = []
    var refused: [(request: EarlyRequest, error: SceneError)] = []
    var failed: [SceneError] = []
    var tasks: [Sleeper] = []
  }

  /// Notes that the application is being run.
  ///
  /// - Throws: ``SceneError/Code/requestDenied`` the second time.
  func beginLaunch() throws(SceneError) {
    try gate.withLock { (gate) throws(SceneError) in
      guard gate.phase == .idle else {
        throw SceneError(.requestDenied, "an application runs once")
      }
      gate.phase = .launching
    }
  }

  /// Enters the sessions that the store kept.
  func restore(_ stored: StoredSessions) throws(SceneError) {
    var stored = stored
    if stored.isRestoring {
      dropState(of: stored)
      stored = stored.withoutState
    }
    try gate.withLock { (gate) throws(SceneError) in
      var discarded: Set<SessionIdentifier> = []
      for session in stored.discarded
      where discarded.insert(session.persistentIdentifier).inserted {
        let entry = try makeEntry(session, isLocked: gate.isLocked)
        gate.pendingDiscards.append((self.session(entry), .whileNotRunning))
      }
      for session in stored.sessions {
        let identifier = session.persistentIdentifier
        // R-DST-7, whatever the store gives.
        if discarded.contains(identifier) || find(identifier) != nil {
          log.warning("the store gives a session twice", metadata: ["session": "\(identifier)"])
          continue
        }
        var entry = try makeEntry(session, isLocked: gate.isLocked)
        if entry.details.isDestroyed(by: .systemDisconnection) {
          // R-DC-1: the end of the process took its scene away.
          gate.pendingDiscards.append((self.session(entry), .destructionCondition))
          discarded.insert(identifier)
          continue
        }
        entry.isOpen = true
        entry.isVisible = true
        let role = try catalog.index(of: session.role)
        let handle = gate.ledger.open(
          role: role, group: session.group, spread: entry.identifier.spread,
          lastActivated: session.lastActivated)
        enter(entry, handle)
        router.insert(
          handle, role: role, gate.ledger[handle].standing, session.activationConditions)
      }
    }
    noteResidualPredicates()
  }

  /// The last application ended while it was restoring its state: what it was restoring goes.
  private func dropState(of stored: StoredSessions) {
    let changes = stored.sessions.compactMap { session -> SessionChange? in
      guard session.stateRestorationActivity != nil else { return nil }
      var details = session.details
      details.savedActivity = nil
      return SessionChange(session: session.persistentIdentifier, kind: .update(details))
    }
    writer.write(changes)
    writer.setRestoring(false)
    diagnose(.savedStateDropped(sessions: changes.count), nil)
  }

  private func makeEntry(
    _ stored: StoredSession, isLocked: Bool
  ) throws(SceneError) -> ShardMailbox.Entry {
    let saved = stored.configuration
    let restored = catalog.manifest.restore(saved)
    var entry = ShardMailbox.Entry()
    entry.identifier = stored.persistentIdentifier
    entry.configuration = try catalog.index(of: restored ?? saved)
    entry.isUnresolvable = restored == nil
    entry.isToBeAsked =
      settings.reasksOnRestore || catalog.manifest.revision != stored.manifestRevision
      || hasFault(.askOnRestore)
    entry.details = stored.details
    if entry.details.savedActivity != nil { entry.details.isLocked = isLocked }
    return entry
  }

  func takePendingDiscards() -> [(session: SceneSession, reason: LifecycleEvent.Reason)] {
    gate.withLock { gate in
      if hasFault(.losePendingDiscard) { gate.pendingDiscards = gate.pendingDiscards.dropLast() }
      defer { gate.pendingDiscards = [] }
      return gate.pendingDiscards.sorted {
        $0.session.persistentIdentifier < $1.session.persistentIdentifier
      }
    }
  }

  /// Removes sessions that were discarded while nothing ran, after the delegate was told.
  func forget(_ discarded: [(session: SceneSession, reason: LifecycleEvent.Reason)]) {
    writer.write(
      discarded.map { SessionChange(session: $0.session.persistentIdentifier, kind: .remove) })
    for (session, reason) in discarded {
      events.report(session.persistentIdentifier, .discarded(reason))
    }
  }

  /// Admits what the settings want a launch to connect (R-LCH-3) and what was submitted before, in
  /// this order and in one step, so that nothing that comes later can pass; then opens the gate.
  func openGate() {
    let opening = gate.withLock { gate in
      // Unless the process was killed meanwhile.
      guard gate.phase == .launching else { return Opening() }
      gate.phase = .running
      var opening = Opening(tasks: gate.waiting)
      for command in launchCommands(gate) {
        do throws(SceneError) {
          // Not refused for load: there is none yet.
          opening.admitted.append(try decide(command, Reporting(), &gate))
        } catch {
          opening.failed.append(error)
        }
      }
      for request in gate.early {
        do throws(SceneError) {
          opening.admitted.append(
            try admit(request.command, Reporting(onFailure: request.onFailure), &gate))
        } catch {
          opening.refused.append((request, error))
        }
      }
      gate.early = []
      gate.waiting = []
      isLaunched.store(true, ordering: .releasing)
      return opening
    }
    for admitted in opening.admitted {
      report(admitted)
      admitted.sleeper?.wake()
    }
    if opening.admitted.contains(where: \.asksConfiguration) { applicationQueue.ring() }
    for error in opening.failed { events.report(error.session, .failed(error)) }
    for refused in opening.refused { refused.request.onFailure?(refused.error) }
    for task in opening.tasks { task.wake() }
  }

  private func launchCommands(_ gate: Gate) -> [Command] {
    switch settings.launch {
    case .background: return []
    case .connectAll:
      var all: [SessionIdentifier] = []
      gate.ledger.forEachOpen { handle, _ in all.append(identifier(handle)) }
      return all.sorted().map { .connect($0) }
    case .icon:
      let recent = try? router.choose(nil).session
      return [
        recent.map { .open(identifier($0), hold: false) } ?? .newSession(Command.NewSession())
      ]
    case .event(let event):
      return [.event(event, source: nil)]
    }
  }

  /// Refuses new work, and sends every scene to the background and away.
  func beginClosing() {
    let connected = gate.withLock { gate in
      gate.phase = .closing
      var all: [SessionIdentifier] = []
      gate.ledger.forEachOpen { handle, record in
        if record.state.isConnected { all.append(identifier(handle)) }
      }
      return all.sorted()
    }
    for session in connected {
      // Whoever rings takes the sleeping task, and has to wake it.
      try? admit(.background(session), Reporting()).sleeper?.wake()
      try? admit(.disconnect(session, .termination), Reporting()).sleeper?.wake()
    }
    abandonRestorations()
  }

  /// Ends extended restorations: what waits for them would wait for ever.
  func abandonRestorations() {
    for mailbox in mailboxes { mailbox.post(ShardItem(slot: 0, work: .abandonRestorations)) }
  }

  /// Ends the application as UIKit ends one whose last window was closed (R-DST-6).
  func leave() {
    gate.withLock { $0.ending = .left }
    shutdown.give()
  }

  /// Ends the application as if the process had been ended: no callback, nothing written.
  func abandon() {
    gate.withLock { gate in
      gate.ending = .abandoned
      gate.phase = .ended
    }
    writer.abandon()
    shutdown.give()
  }

  /// Whether the application was ended as a process is killed: nothing may call the program any
  /// more.
  var isAbandoned: Bool { writer.isAbandoned }

  /// Refuses everything from here on.
  func end() {
    let (requests, tasks) = gate.withLock { gate in
      gate.phase = .ended
      isLaunched.store(true, ordering: .releasing)
      // R-RF-6: a refresh does not survive the application.
      for refresh in gate.pendingRefreshes { forgetRefresh(refresh.session, &gate) }
      defer {
        gate.early = []
        gate.waiting = []
      }
      return (gate.early, gate.waiting)
    }
    for request in requests { request.onFailure?(Self.notRunning) }
    for task in tasks { task.wake() }
  }

  static let notRunning = SceneError(.notRunning, "the application is not running")

  /// Keeps a request until the launch; returns false if the launch is over.
  ///
  /// - Throws: ``SceneError/Code/systemBusy`` if as many are kept as may be unfinished.
  func keepUntilLaunch(_ request: EarlyRequest) throws(SceneError) -> Bool {
    if isLaunched.load(ordering: .acquiring) { return false }
    return try gate.withLock { (gate) throws(SceneError) -> Bool in
      guard gate.isEarly else { return false }
      guard gate.early.count < settings.requestLimit else {
        throw SceneError(
          .systemBusy, "\(settings.requestLimit) requests wait for the launch; try again later")
      }
      gate.early.append(request)
      return true
    }
  }

  /// Returns when the launch is over.
  func launched() async {
    if isLaunched.load(ordering: .acquiring) { return }
    await Sleeper.sleep { sleeper in
      gate.withLock { gate in
        guard gate.isEarly else { return false }
        gate.waiting.append(sleeper)
        return true
      }
    }
  }

  /// Whether anything is queued that can run now, and how often something was taken to be run.
  var progress: (isIdle: Bool, takes: Int) {
    var (isIdle, takes) = applicationQueue.progress
    for mailbox in mailboxes {
      let queue = mailbox.state.withLock { (isEmpty: $0.incoming.isEmpty, takes: $0.takes) }
      isIdle = isIdle && queue.isEmpty
      takes &+= queue.takes
    }
    return (isIdle, takes)
  }
}
