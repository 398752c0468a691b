// SPDX-License-Identifier: Apache-2.0

import Logging
import ProsceniumPrimitives
import Synchronization

/// Enters the sessions that a store kept, at the launch or later; their saved states stay in the
/// store.
struct StoreRestoration: Sendable {
  let core: ApplicationCore

  /// What the manifest makes of a configuration.
  private struct Known: Sendable {
    let stored: StoredConfiguration
    let index: UInt16
    let role: UInt8
    let isUnresolvable: Bool
    let isToBeAsked: Bool
    /// After how long without use its sessions end.
    let limit: Duration?
  }

  /// What one row of the store looks like to the next.
  private struct State: Sendable {
    /// The last row's configuration: most rows have the same.
    var known: Known?
    var discarded: Set<SessionIdentifier> = []
    /// Which sessions have a wake, and when.
    var wakes: [(session: SessionHandle, time: Int64)] = []
    /// Which sessions end without use.
    var ending: [(SessionHandle, limit: Duration, lastUsed: Int64?)] = []
    /// Whether the process that served the sessions has ended, and taken their scenes away.
    var isAfterEnd = true
    /// Which sessions had scenes until now.
    var connected: [HandedOverSessions.Connected] = []
    /// What was decided to bring them back.
    var admitted: [Admitted] = []
  }

  /// Takes the store over and enters its sessions.
  ///
  /// - Throws: The store's error, or `limitExceeded` for more configurations or roles than there
  ///   can be.
  func run() async throws {
    let progress = Apart(guarding: State())
    let load = try await core.writer.load { rows in try enterAll(rows, progress) }
    for (session, time) in progress.withLock({ $0.wakes }) { core.wakes.set(session, time) }
    core.expiry?.load(runningTime: load.runningTime, progress.withLock { $0.ending })
    for error in load.damage {
      core.log.error("the store is damaged", metadata: ["error": "\(error)"])
      core.events.report(error.session, .failed(unreadable(error)))
    }
    if load.isRestoring { await dropActivities() }
  }

  /// Enters sessions that another process served until now, while this one runs.
  ///
  /// Clients have the time to come back before one of them ends since it was not used.
  ///
  /// - Parameters:
  ///   - rows: What the store keeps of them.
  ///   - connected: Those whose scenes come back.
  ///   - isAfterEnd: Whether that process has ended, and not handed them over.
  /// - Throws: `limitExceeded` for more configurations or roles than there can be.
  func adopt(
    _ rows: [SessionRow], connected: [HandedOverSessions.Connected] = [], isAfterEnd: Bool
  ) throws(SceneError) {
    let progress = Apart(guarding: State(isAfterEnd: isAfterEnd, connected: connected))
    try enterAll(rows, progress)
    let admitted = progress.withLock { $0.admitted }
    for admitted in admitted { admitted.sleeper?.wake() }
    if admitted.contains(where: \.asksConfiguration) { core.applicationQueue.ring() }
    for (session, time) in progress.withLock({ $0.wakes }) { core.wakes.set(session, time) }
    core.expiry?.adopt(progress.withLock { $0.ending })
  }

  private func enterAll(
    _ rows: [SessionRow], _ progress: borrowing Apart<Guarded<State>>
  ) throws(SceneError) {
    try progress.withLock { (progress) throws(SceneError) in
      try core.gate.withLock { (gate) throws(SceneError) in
        for row in rows { try enter(row, &progress, &gate) }
        for session in progress.connected {
          // One that ended in between, or that nothing makes a scene for, is left alone. As at a
          // launch, none is refused for load.
          guard let admitted = try? gate.decide(session.command, Reporting()) else { continue }
          progress.admitted.append(admitted)
        }
      }
    }
  }

  private func enter(
    _ row: SessionRow, _ progress: inout State, _ gate: inout Admitter
  ) throws(SceneError) {
    let identifier = row.persistentIdentifier
    if !progress.discarded.isEmpty, progress.discarded.contains(identifier) { return }
    if let twin = core.directory.find(identifier) {
      core.log.warning("the store gives a session twice", metadata: ["session": "\(identifier)"])
      guard row.isDiscarded else { return }
      // R-DST-7, whatever the store gives.
      gate.ledger.discard(twin)
      core.router.remove(twin)
      core.directory.erase(identifier, twin)
    }
    let known = try known(row.configuration, &progress)
    var entry = ShardMailbox.Entry()
    entry.identifier = identifier
    entry.configuration = known.index
    entry.flags[.isUnresolvable] = known.isUnresolvable
    entry.flags[.isToBeAsked] = known.isToBeAsked
    entry.details = row.details
    entry.flags[.isStateStored] = row.hasSavedState || row.damage != nil
    if entry.flags[.isStateStored] {
      entry.details.isLocked = core.isLocked.load(ordering: .acquiring)
    }
    // R-DC-1: the end of the process took its scene away.
    let isDestroyed =
      progress.isAfterEnd && entry.details.isDestroyed(by: .systemDisconnection)
    if row.isDiscarded || isDestroyed {
      gate.pendingDiscards.append(
        (core.directory.session(entry), row.isDiscarded ? .whileNotRunning : .destructionCondition))
      progress.discarded.insert(identifier)
      return
    }
    if let damage = row.damage {
      core.log.error("a session is damaged", metadata: ["error": "\(damage)"])
      core.events.report(identifier, .failed(unreadable(damage)))
    }
    entry.flags[.isOpen] = true
    entry.flags[.isVisible] = true
    let handle = gate.ledger.open(
      role: known.role, group: row.group, owner: row.owner, spread: identifier.spread,
      lastActivated: row.lastActivated)
    core.directory.enter(entry, handle)
    core.router.insert(
      handle, role: known.role, gate.ledger[handle].rank, row.details.ownConditions)
    if let time = row.nextWake { progress.wakes.append((handle, time)) }
    if let limit = known.limit { progress.ending.append((handle, limit, row.lastUsed)) }
  }

  private func known(
    _ stored: StoredConfiguration, _ progress: inout State
  ) throws(SceneError) -> Known {
    if let known = progress.known,
      known.stored.isIdentical(to: stored)
    {
      return known
    }
    let kept = SceneConfiguration(stored)
    let restored = core.catalog.manifest.restore(kept)
    let known = Known(
      stored: stored, index: try core.catalog.index(of: restored ?? kept),
      role: try core.catalog.index(of: stored.role), isUnresolvable: restored == nil,
      isToBeAsked: core.settings.asksConfigurationOnRestore
        || core.catalog.manifest.revision != stored.manifestRevision,
      limit: core.expiry?.limit(stored.role))
    progress.known = known
    return known
  }

  private func unreadable(_ error: StoreError) -> SceneError {
    SceneError(.stateUnreadable, session: error.session, "\(error.code.rawValue): \(error.message)")
  }

  /// The last application ended while it was restoring its state: what it was restoring goes.
  private func dropActivities() async {
    let sealer = SavedStateSealer(
      core.writer, core.settings.stateMigrations.current, core.settings.savedStateLimits)
    var batch = SnapshotWriter.Batch(isRestoring: false)
    var left: [DepartedState] = []
    await core.states.read(storedStates()) { session, read in
      guard var state = try? read.get().state, state.activity != nil,
        let handle = core.directory.find(session)
      else { return }
      state.activity = nil
      guard let sealed = try? sealer.seal(state, of: session) else { return }
      batch.changes.append(
        StoreChange(session: session, epoch: core.writer.epochs[session], kind: .save(sealed)))
      // The store still has the old one until the commit is over.
      left.append(keep(state, of: session, handle))
    }
    let dropped = left
    batch.awaiting = [.effect { [core] in core.forget(dropped) }]
    core.writer.write(batch)
    core.diagnose(.savedStateDropped(sessions: dropped.count), nil)
  }

  /// The sessions whose saved states only the store has.
  private func storedStates() -> [SessionIdentifier] {
    core.directory.mailboxes.flatMap { mailbox in
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
    let slot = handle.slot(core.directory.shardBits)
    return core.directory.mailbox(handle).state.withLock { shared in
      shared.entries[slot].details.isLocked = false
      shared.entries[slot].details.state = state
      shared.entries[slot].flags[.isStateStored] = false
      return DepartedState(
        session: handle, identifier: session, details: shared.entries[slot].details,
        departure: shared.depart(Int32(slot)))
    }
  }
}
