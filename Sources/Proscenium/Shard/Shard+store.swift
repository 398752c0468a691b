// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

// What goes to the store and comes from it.
extension Shard {
  /// Notes what a scene's callbacks changed.
  func record(_ changes: SceneChanges?, of scene: Scene) {
    guard let changes else { return }
    if let shown = changes.shown { show(shown, scene.slot) }
    record(changes, scene.persistentIdentifier, scene.slot)
  }

  /// Notes what changed of a session.
  func record(_ changes: SceneChanges, _ identifier: SessionIdentifier, _ slot: Int32) {
    if changes.isRowChanged {
      append(.update(row(slot, changes.details, lastActivated: 0)), identifier)
    }
    if let sealed = changes.sealed {
      append(.save(sealed), identifier)
      if changes.isPrompt { noteMark(core.writer.now) }
    }
    for effect in changes.effects { batch.awaiting.append(.effect(of: identifier, effect)) }
  }

  /// Notes a change for the store.
  func append(_ kind: StoreChange.Kind, _ identifier: SessionIdentifier) {
    batch.changes.append(StoreChange(session: identifier, epoch: core.writer.epoch, kind: kind))
  }

  /// Notes when something was marked that is on its way to the store.
  func noteMark(_ time: Duration) {
    batch.oldestMark = batch.oldestMark.map { min($0, time) } ?? time
  }

  /// The row of a session.
  func row(_ slot: Int32, _ details: SessionDetails, lastActivated: UInt64) -> SessionRow {
    let (identifier, configuration) = mailbox.state.withLock { state in
      (
        state.entries[Int(slot)].identifier,
        core.catalog.configuration(state.entries[Int(slot)].configuration)
      )
    }
    return SessionRow(
      identifier, configuration.stored, lastActivated: lastActivated,
      details: details)
  }

  /// Captures a scene whose time has come.
  func capture(_ owner: WeakReference, _ slot: Int32, markedAt mark: Duration) {
    guard let scene = scene(slot), scene === owner.object,
      let changes = scene.assumeIsolated({ $0.captureIfMarked() })
    else { return }
    if changes.sealed != nil { noteMark(mark) }
    record(changes, of: scene)
  }

  /// Brings to the store what has changed so far.
  func writeChanges() {
    if core.writer.isImmediate { return writeAtOnce() }
    if !departed.isEmpty {
      // What the scenes left goes from memory once the store has it.
      let states = departed
      departed = []
      batch.awaiting.append(.effect { [core] in core.forget(states) })
    }
    if batch.isEmpty { return }
    let full = batch
    batch = SnapshotWriter.Batch()
    write(full)
  }

  /// The same for a store that takes changes at once, so that the next ones find room.
  private func writeAtOnce() {
    if batch.isEmpty && departed.isEmpty { return }
    // Taken out while they are written: who is told of it may bring more.
    var full = SnapshotWriter.Batch()
    var states: [DepartedState] = []
    swap(&full, &batch)
    swap(&states, &departed)
    let isDurable = full.isEmpty || write(full)
    if isDurable { core.forget(states) }
    full.changes.removeAll(keepingCapacity: full.changes.count <= Self.keptChanges)
    states.removeAll(keepingCapacity: states.count <= Self.keptChanges)
    if batch.changes.isEmpty { swap(&batch.changes, &full.changes) }
    if departed.isEmpty { swap(&departed, &states) }
  }

  /// For how many changes there stays room between two passes.
  private static let keptChanges = 256

  /// Lets the saved state that a scene has left go from memory once the store has it.
  func leaveState(_ slot: Int32, isKept: Bool) {
    let left = mailbox.state.withLock { state -> DepartedState? in
      state.entries[Int(slot)].isStateUnsaved = !isKept
      state.entries[Int(slot)].isStateWanted = false
      let details = state.entries[Int(slot)].details
      guard isKept, details.hasState, !details.isLocked else { return nil }
      return DepartedState(
        session: handle(slot), identifier: state.entries[Int(slot)].identifier, details: details)
    }
    if let left { departed.append(left) }
  }
}
