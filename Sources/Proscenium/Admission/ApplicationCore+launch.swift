// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
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
  /// - Throws: ``SceneError/Code/alreadyRun`` the second time.
  func beginLaunch() throws(SceneError) {
    try gate.withLock { (gate) throws(SceneError) in
      guard gate.phase == .idle else {
        throw SceneError(.alreadyRun, "an application runs once")
      }
      gate.phase = .launching
    }
  }

  /// Takes the store over and enters the sessions that it kept; their saved states stay in it.
  ///
  /// - Throws: The store's error, or `limitExceeded` for more configurations or roles than there
  ///   can be.
  func restore() async throws {
    let restoration = Restoration()
    let load = try await writer.load { rows in
      try restoration.state.withLock { (state) throws(SceneError) in
        try self.gate.withLock { (gate) throws(SceneError) in
          for row in rows { try self.restore(row, &state, &gate) }
        }
      }
    }
    for (session, time) in restoration.state.withLock({ $0.wakes }) { wakes.set(session, time) }
    for error in load.damage {
      log.error("the store is damaged", metadata: ["error": "\(error)"])
      events.report(error.session, .failed(unreadable(error)))
    }
    if load.isRestoring { await dropActivities() }
    noteResidualPredicates()
    gate.withLock { gate in
      // Unless it was abandoned in between.
      if gate.isEarly { stage.store(.restored, ordering: .releasing) }
    }
  }

  /// What one row of the store looks like to the next.
  private final class Restoration: Sendable {
    struct Known: Sendable {
      let stored: StoredConfiguration
      let index: UInt16
      let role: UInt8
      let isUnresolvable: Bool
      let isToBeAsked: Bool
    }

    struct State: Sendable {
      /// The last row's configuration: most rows have the same.
      var known: Known?
      var discarded: Set<SessionIdentifier> = []
      /// Which sessions have a wake, and when.
      var wakes: [(session: SessionHandle, time: Int64)] = []
    }

    let state = Guarded(State())
  }

  private func restore(
    _ row: SessionRow, _ restoration: inout Restoration.State, _ gate: inout Admitter
  ) throws(SceneError) {
    let identifier = row.persistentIdentifier
    if !restoration.discarded.isEmpty, restoration.discarded.contains(identifier) { return }
    if let twin = directory.find(identifier) {
      log.warning("the store gives a session twice", metadata: ["session": "\(identifier)"])
      guard row.isDiscarded else { return }
      // R-DST-7, whatever the store gives.
      gate.ledger.discard(twin)
      router.remove(twin)
      directory.erase(identifier, twin)
    }
    let known = try known(row.configuration, &restoration)
    var entry = ShardMailbox.Entry()
    entry.identifier = identifier
    entry.configuration = known.index
    entry.flags[.isUnresolvable] = known.isUnresolvable
    entry.flags[.isToBeAsked] = known.isToBeAsked
    entry.details = row.details
    entry.flags[.isStateStored] = row.hasSavedState || row.damage != nil
    if entry.flags[.isStateStored] { entry.details.isLocked = isLocked.load(ordering: .acquiring) }
    if row.isDiscarded || entry.details.isDestroyed(by: .systemDisconnection) {
      // R-DC-1: the end of the process took its scene away.
      gate.pendingDiscards.append(
        (directory.session(entry), row.isDiscarded ? .whileNotRunning : .destructionCondition))
      restoration.discarded.insert(identifier)
      return
    }
    if let damage = row.damage {
      log.error("a session is damaged", metadata: ["error": "\(damage)"])
      events.report(identifier, .failed(unreadable(damage)))
    }
    entry.flags[.isOpen] = true
    entry.flags[.isVisible] = true
    let handle = gate.ledger.open(
      role: known.role, group: row.group, spread: identifier.spread,
      lastActivated: row.lastActivated)
    directory.enter(entry, handle)
    router.insert(
      handle, role: known.role, gate.ledger[handle].rank, row.details.ownConditions)
    if let time = row.nextWake { restoration.wakes.append((handle, time)) }
  }

  private func known(
    _ stored: StoredConfiguration, _ restoration: inout Restoration.State
  ) throws(SceneError) -> Restoration.Known {
    if let known = restoration.known,
      known.stored.isIdentical(to: stored)
    {
      return known
    }
    let kept = SceneConfiguration(stored)
    let restored = catalog.manifest.restore(kept)
    let known = Restoration.Known(
      stored: stored, index: try catalog.index(of: restored ?? kept),
      role: try catalog.index(of: stored.role), isUnresolvable: restored == nil,
      isToBeAsked: settings.asksConfigurationOnRestore
        || catalog.manifest.revision != stored.manifestRevision)
    restoration.known = known
    return known
  }

  private func unreadable(_ error: StoreError) -> SceneError {
    SceneError(.stateUnreadable, session: error.session, "\(error.code.rawValue): \(error.message)")
  }

  /// The last application ended while it was restoring its state: what it was restoring goes.
  private func dropActivities() async {
    let sealer = SavedStateSealer(
      writer, settings.stateMigrations.current, settings.savedStateLimits)
    var batch = SnapshotWriter.Batch(isRestoring: false)
    var left: [DepartedState] = []
    await states.read(storedStates()) { session, read in
      guard var state = try? read.get(), state.activity != nil, let handle = directory.find(session)
      else { return }
      state.activity = nil
      guard let sealed = try? sealer.seal(state, of: session) else { return }
      batch.changes.append(
        StoreChange(session: session, epoch: writer.epoch, kind: .save(sealed)))
      // The store still has the old one until the commit is over.
      left.append(keep(state, of: session, handle))
    }
    let dropped = left
    batch.awaiting = [.effect { [self] in forget(dropped) }]
    writer.write(batch)
    diagnose(.savedStateDropped(sessions: dropped.count), nil)
  }

  /// The sessions whose saved states only the store has.
  private func storedStates() -> [SessionIdentifier] {
    directory.mailboxes.flatMap { mailbox in
      mailbox.state.withLock { state in
        (0..<state.entries.count).compactMap {
          state.entries[$0].flags[.isStateStored] ? state.entries[$0].identifier : nil
        }
      }
    }
  }

  private func keep(
    _ state: SavedState, of session: SessionIdentifier, _ handle: SessionHandle
  ) -> DepartedState {
    let slot = handle.slot(directory.shardBits)
    let details = directory.mailbox(handle).state.withLock { shared in
      shared.entries[slot].details.isLocked = false
      shared.entries[slot].details.state = state
      shared.entries[slot].flags[.isStateStored] = false
      return shared.entries[slot].details
    }
    return DepartedState(session: handle, identifier: session, details: details)
  }

  func takePendingDiscards() -> [(session: SceneSession, reason: LifecycleEvent.Reason)] {
    gate.withLock { gate in
      defer { gate.pendingDiscards = [] }
      return gate.pendingDiscards.sorted {
        $0.session.persistentIdentifier < $1.session.persistentIdentifier
      }
    }
  }

  /// Removes sessions that were discarded while nothing ran, after the delegate was told.
  func forget(_ discarded: [(session: SceneSession, reason: LifecycleEvent.Reason)]) {
    for gone in discarded { writer.write(.remove, of: gone.session.persistentIdentifier) }
    for (session, reason) in discarded {
      events.report(session.persistentIdentifier, .discarded(reason))
    }
  }

  /// Admits what the settings want a launch to connect (R-LCH-3) and what was submitted before, in
  /// this order and in one step, so that nothing that comes later can pass; then opens the gate.
  func openGate() {
    let opening = gate.withLock { gate in
      // Unless the process was killed in between.
      guard gate.phase == .launching else { return Opening() }
      gate.phase = .running
      gate.hasOpened = true
      var opening = Opening(tasks: inOrder(gate.waiting, gate))
      for command in launchCommands(gate) {
        do throws(SceneError) {
          // Not refused for load: there is none yet.
          opening.admitted.append(try gate.decide(command, Reporting()))
        } catch {
          opening.failed.append(error)
        }
      }
      for request in gate.early {
        do throws(SceneError) {
          opening.admitted.append(
            try gate.admit(request.command, Reporting(onFailure: request.onFailure)))
        } catch {
          opening.refused.append((request, error))
        }
      }
      gate.early = []
      gate.waiting = []
      stage.store(.launched, ordering: .releasing)
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

  /// The tasks that wait for the launch: those that are about no session, then the others, the most
  /// recently active session first.
  private func inOrder(_ waiting: [LaunchWaiter], _ gate: borrowing Admitter) -> [Sleeper] {
    let keyed = waiting.enumerated().map { place, waiter in
      let handle = waiter.session.flatMap { directory.find($0) }
      let recency = handle.map { gate.ledger[$0].lastActivated } ?? .max
      return (recency: recency, place: place, task: waiter.task)
    }
    return keyed.sorted { ($0.recency, $1.place) > ($1.recency, $0.place) }.map(\.task)
  }

  private func launchCommands(_ gate: borrowing Admitter) -> [Command] {
    switch settings.launch {
    case .background: return []
    case .connectAll:
      var all: [(recency: UInt64, session: SessionIdentifier)] = []
      gate.ledger.forEachOpen { handle, record in
        all.append((record.lastActivated, directory.identifier(handle)))
      }
      // The sessions that a user is most likely to look at come first.
      all.sort { ($0.recency, $1.session) > ($1.recency, $0.session) }
      return all.map { .connect($0.session) }
    case .icon:
      let recent = try? router.choose(nil).session
      return [
        recent.map { .open(directory.identifier($0), hold: false) }
          ?? .newSession(Command.NewSession())
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
        if record.state.isConnected { all.append(directory.identifier(handle)) }
      }
      return all.sorted()
    }
    for session in connected {
      // The ring takes the sleeping task, which has to be woken.
      try? admit(.background(session), Reporting()).sleeper?.wake()
      try? admit(.disconnect(session, .termination), Reporting()).sleeper?.wake()
    }
    refuseReconnections()
    abandonRestorations()
  }

  /// Ends extended restorations: what waits for them would wait for ever.
  func abandonRestorations() {
    for mailbox in directory.mailboxes {
      mailbox.post(ShardItem(slot: 0, work: .abandonRestorations))
    }
  }

  /// Ends the application as UIKit ends one whose last window was closed (R-DST-6).
  func leave() {
    gate.withLock { $0.ending = .left }
    shutdown.give()
  }

  /// Ends the application as if the process had been ended: no callback, nothing written.
  func abandon() {
    let wasEarly = gate.withLock { gate in
      defer { gate.phase = .ended }
      gate.ending = .abandoned
      return gate.isEarly
    }
    writer.abandon()
    shutdown.give()
    // Who waits for the launch waits for nothing any more; `run()` may never have begun.
    if wasEarly { end() }
  }

  /// Whether the application was ended as a process is killed: nothing may call the program any
  /// more.
  var isAbandoned: Bool { writer.isAbandoned }

  /// Refuses everything from here on.
  func end() {
    let (requests, tasks) = gate.withLock { gate in
      gate.phase = .ended
      stage.store(.ended, ordering: .releasing)
      // R-RF-6: a refresh does not survive the application.
      for refresh in gate.pendingRefreshes.all { gate.forgetRefresh(refresh.session) }
      defer {
        gate.early = []
        gate.waiting = []
      }
      return (gate.early, gate.waiting)
    }
    refuseReconnections()
    for request in requests { request.onFailure?(SceneError.notRunning) }
    for waiter in tasks { waiter.task.wake() }
  }

  static let notRunning = SceneError(.notRunning, "the application is not running")

  /// Keeps a request until the launch; returns false if the launch is over.
  ///
  /// - Throws: ``SceneError/Code/systemBusy`` if as many are kept as may be unfinished.
  func keepUntilLaunch(_ request: EarlyRequest) throws(SceneError) -> Bool {
    if isLaunched { return false }
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
  ///
  /// - Parameter session: What the caller is going to ask for: after a crash everybody waits for
  ///   the launch, and the most recently active sessions go first.
  func launched(for session: SessionIdentifier? = nil) async {
    if isLaunched { return }
    await Sleeper.sleep { sleeper in
      gate.withLock { gate in
        guard gate.isEarly else { return false }
        gate.waiting.append(LaunchWaiter(session: session, task: sleeper))
        return true
      }
    }
  }

  /// Whether the launch succeeded; asked when it is over.
  var hasOpened: Bool { gate.withLock { $0.hasOpened } }

  /// Whether anything is queued that can run now, and how often something was taken to be run.
  var progress: (isIdle: Bool, takes: Int) {
    var (isIdle, takes) = applicationQueue.progress
    for mailbox in directory.mailboxes {
      let queue = mailbox.state.withLock { (isEmpty: $0.incoming.isEmpty, takes: $0.takes) }
      isIdle = isIdle && queue.isEmpty
      takes &+= queue.takes
    }
    return (isIdle, takes)
  }
}
