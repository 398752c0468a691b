// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The connected scenes of one shard, and what becomes of what their callbacks change.
///
/// It brings a scene to a goal step by step, makes known what changed, and gathers what is to be
/// stored until the pass of the shard is over. The shard alone uses it, on its executor.
@safe
final class ShardScenes {
  let core: ApplicationCore
  let mailbox: ShardMailbox
  let number: Int
  let sealer: SavedStateSealer
  /// What scenes are connected with, while the application runs.
  var context: SceneContext?
  /// The connected scenes, by slot.
  ///
  /// The mailbox's entries hold them; here they are looked up and prefetched without counting
  /// references.
  private var table = PagedArray<BorrowedScene?>()
  /// Whether any sessions end without use; a constant, which is read without being watched.
  let watchesUses: Bool
  /// Which sessions were used, if they end without that.
  var uses = SessionUses()
  /// What the store is to be brought after this pass.
  var batch = SnapshotWriter.Batch()
  /// Sessions that have lost their scenes in this pass, with the state that the scenes left.
  var departed: [DepartedState] = []
  /// The core's writer, which lives as long as the core: every pass of every shard goes through it,
  /// and a counted reference would be counted by all processors at once.
  private let writer: Unmanaged<SnapshotWriter>

  init(_ core: ApplicationCore, _ number: Int) {
    self.core = core
    self.number = number
    mailbox = core.directory.mailboxes[number]
    watchesUses = core.expiry != nil
    sealer = SavedStateSealer(
      core.writer, core.settings.stateMigrations.current, core.settings.savedStateLimits)
    unsafe writer = .passUnretained(core.writer)
  }

  func handle(_ slot: Int32) -> SessionHandle {
    SessionHandle(slot: Int(slot), shard: number, shardBits: core.directory.shardBits)
  }

  // MARK: - The table

  /// The scene that is connected to a slot's session; setting it keeps it until it is set again.
  subscript(slot: Int32) -> Scene? {
    get { Int(slot) < table.count ? table[Int(slot)]?.scene : nil }
    set {
      while table.count <= Int(slot) { table.append(nil) }
      table[Int(slot)] = newValue.map { BorrowedScene($0) }
      mailbox.state.withLock { $0.entries[Int(slot)].scene = newValue }
    }
  }

  /// The connected scenes, by slot.
  var all: [Scene] { (0..<table.count).compactMap { table[$0]?.scene } }

  /// How many items ahead a scene is fetched; its delegate, which it names, half as many.
  private static let fetchDistance = 6

  /// Asks the processor for what the first items of a batch need.
  @inline(__always)
  func prefetchFirst(of batch: [ShardItem]) {
    for index in 0..<min(batch.count, Self.fetchDistance) { prefetchScene(batch[index].slot) }
  }

  /// Asks the processor for what items need that come a little later than one.
  @inline(__always)
  func prefetch(_ batch: [ShardItem], behind index: Int) {
    let scene = index + Self.fetchDistance
    let delegate = index + Self.fetchDistance / 2
    if scene < batch.count { prefetchScene(batch[scene].slot) }
    if delegate < batch.count, Int(batch[delegate].slot) < table.count {
      table[Int(batch[delegate].slot)]?.prefetchDelegate()
    }
  }

  @inline(__always)
  private func prefetchScene(_ slot: Int32) {
    if Int(slot) < table.count { table[Int(slot)]?.prefetch() }
  }

  // MARK: - The way to a goal

  /// Brings a scene to a goal, callback by callback.
  ///
  /// The scene decides each step, and what it changed is made known here.
  ///
  /// - Parameters:
  ///   - scene: The scene.
  ///   - goal: Where it is to be.
  ///   - delivery: What is to be delivered on the way.
  ///   - isContinued: Whether the plan was held up and goes on.
  /// - Returns: What is to be stored, and what holds the plan up.
  func bring(
    _ scene: Scene, to goal: SceneLifecycle.Goal, _ delivery: Delivery? = nil,
    isContinued: Bool = false
  ) -> SceneProgress {
    if !isContinued { SceneOnShard(scene).begin(goal, delivery) }
    while true {
      if let transition = SceneOnShard(scene).arrive() { announce(note(transition, of: scene)) }
      guard !core.isAbandoned, let step = SceneOnShard(scene).nextStep(toward: goal) else { break }
      let change = step.transition.flatMap { note($0, of: scene) }
      let outcome = SceneOnShard(scene).carryOut(step.action, delivery)
      if let shown = outcome.shown { show(shown, scene.slot) }
      if isHeard(.states), let notification = step.action.notification {
        report(scene.persistentIdentifier, .notification(notification), on: .states)
      }
      announce(change)
      if let hold = outcome.hold { return finish(scene, goal, hold) }
    }
    return finish(scene, goal, nil)
  }

  private func finish(
    _ scene: Scene, _ goal: SceneLifecycle.Goal, _ hold: SceneHold?
  ) -> SceneProgress {
    var progress = SceneOnShard(scene).finish(goal, hold)
    if let shown = progress.changes?.shown {
      show(shown, scene.slot)
      progress.changes?.shown = nil
    }
    return progress
  }

  /// Brings the scene in a slot to a goal, if there is one.
  func bring(_ slot: Int32, to goal: SceneLifecycle.Goal) {
    guard let scene = self[slot] else { return }
    record(bring(scene, to: goal).changes, of: scene)
  }

  // MARK: - Making changes known

  private func show(_ shown: ShownDetails, _ slot: Int32) {
    show(shown.details, slot, isStateHere: !shown.isStateWithheld)
  }

  /// Makes changed details visible: to readers and to routing.
  ///
  /// - Parameters:
  ///   - details: The details.
  ///   - slot: The session's slot.
  ///   - isStateHere: Whether the details have the saved state, which the store may have as well.
  func show(_ details: SessionDetails, _ slot: Int32, isStateHere: Bool) {
    let before = mailbox.state.withLock { state in
      let before = state.entries[Int(slot)].details
      state.entries[Int(slot)].details = details
      if isStateHere { state.entries[Int(slot)].flags[.isStateStored] = false }
      return before
    }
    if details.isIdentical(exceptForState: before) { return }
    // An unlock schedules what was due in between.
    if details.nextWake != before.nextWake || details.isLocked != before.isLocked {
      core.wakes.set(handle(slot), details.nextWake)
    }
    guard details.activationConditions != before.activationConditions else { return }
    core.router.setConditions(handle(slot), details.activationConditions)
    core.reportResidualPredicates()
  }

  /// Counts a scene's new state and reports it; returns how the application's state changed by it.
  @inline(__always)
  private func note(_ transition: Scene.Transition, of scene: Scene) -> ApplicationTally.Change? {
    let (old, new) = (transition.old, transition.new)
    report(scene.persistentIdentifier, .transition(from: old, to: new), on: .states)
    if old == .unattached { mailbox.tally.connect(1) }
    if new == .unattached { mailbox.tally.connect(-1) }
    // It was seen until now.
    if watchesUses, transition.isCounted, new == .background, old != .unattached {
      uses.note(scene.slot)
    }
    return transition.isCounted ? mailbox.tally.move(from: old, to: new, core.tally.value) : nil
  }

  /// Reports what UIKit posts about the application.
  @inline(__always)
  func announce(_ change: ApplicationTally.Change?) {
    guard let change, isHeard(.states), let notification = change.notification else { return }
    core.events.report(nil, .applicationNotification(notification), on: .states)
  }

  /// Whether a topic of lifecycle events has a listener.
  ///
  /// A look of its own: nearly always it has none, and no reference to what all shards share is
  /// counted for it.
  @inline(__always)
  func isHeard(_ topic: LifecycleEvent.Topics) -> Bool { core.events.isHeard(topic) }

  /// Reports a lifecycle event if its topic has a listener.
  @inline(__always)
  func report(
    _ identifier: SessionIdentifier, _ kind: @autoclosure () -> LifecycleEvent.Kind,
    on topic: LifecycleEvent.Topics = .lives
  ) {
    if isHeard(topic) { core.events.report(identifier, kind(), on: topic) }
  }

  /// Reports that something was accepted and cannot be delivered any more.
  func lose(_ loss: LifecycleEvent.Loss?, _ slot: Int32) {
    if let loss { report(core.directory.identifier(handle(slot)), .lost(loss)) }
  }
}

// What goes to the store.
extension ShardScenes {
  /// Notes what a scene's callbacks changed.
  func record(_ changes: SceneChanges?, of scene: Scene) {
    guard let changes else { return }
    if let shown = changes.shown { show(shown, scene.slot) }
    record(changes, scene.persistentIdentifier, scene.slot)
  }

  /// Notes what changed of a session.
  func record(_ changes: SceneChanges, _ identifier: SessionIdentifier, _ slot: Int32) {
    if changes.isRowChanged { append(.update(row(slot, changes.details)), identifier) }
    if let sealed = changes.sealed {
      append(.save(sealed), identifier)
      if changes.isPrompt { noteMark(core.writer.now) }
    }
    for effect in changes.effects { batch.awaiting.append(.effect(of: identifier, effect)) }
  }

  /// Notes a change for the store.
  func append(_ kind: StoreChange.Kind, _ identifier: SessionIdentifier) {
    batch.changes.append(
      StoreChange(session: identifier, epoch: core.writer.epochs[identifier], kind: kind))
  }

  /// Notes when something was marked that is on its way to the store.
  private func noteMark(_ time: Duration) {
    batch.oldestMark = batch.oldestMark.map { min($0, time) } ?? time
  }

  /// The row of a session.
  func row(_ slot: Int32, _ details: SessionDetails, lastActivated: UInt64 = 0) -> SessionRow {
    let (identifier, configuration) = mailbox.state.withLock { state in
      (
        state.entries[Int(slot)].identifier,
        core.catalog.configuration(state.entries[Int(slot)].configuration)
      )
    }
    return SessionRow(
      identifier, configuration.stored, lastActivated: lastActivated, details: details)
  }

  /// Captures a scene whose time has come.
  func capture(_ owner: WeakReference, _ slot: Int32, markedAt mark: Duration) {
    guard let scene = self[slot], scene === owner.object,
      let changes = scene.assumeIsolated({ StateCapture.ifMarked(in: $0) })
    else { return }
    if changes.sealed != nil { noteMark(mark) }
    record(changes, of: scene)
  }

  /// Lets a scene go on with the result of its own work; one that is gone does not.
  func resume(_ resumed: ResumedScene, _ slot: Int32) {
    guard let scene = self[slot], scene === resumed.scene.object else { return }
    let changes = scene.assumeIsolated { scene in
      scene.visit { scene in
        guard let handler = scene.extras?.take(resumed.token), let result = resumed.result else {
          return
        }
        handler.resume(scene, result)
      }
    }
    record(changes, of: scene)
  }

  /// Takes what was set from outside a callback.
  func visit(_ slot: Int32) {
    guard let scene = self[slot] else { return }
    record(scene.assumeIsolated { scene in scene.visit { _ in } }, of: scene)
  }

  /// Drops the saved activity, since the scene could not restore it.
  ///
  /// One that is withheld (R-SR-6) is not what the scene could not restore, and stays.
  func dropRestoration(of scene: Scene) {
    let changes = scene.assumeIsolated { scene in
      scene.visit { scene in
        scene.lifecycle.abandonRestoration()
        scene.showState()
        scene.lifecycle.owesCapture = false
        scene.marks[.isDirty] = false
        if !scene.details.isLocked { scene.change { $0.stateRestorationActivity = nil } }
      }
    }
    record(changes, of: scene)
  }

  /// Lets the saved state that a scene has left go from memory once the store has it.
  func leaveState(_ slot: Int32, isKept: Bool) {
    let left = mailbox.state.withLock { state -> DepartedState? in
      state.entries[Int(slot)].flags[.isStateUnsaved] = !isKept
      state.entries[Int(slot)].flags[.isStateWanted] = false
      let details = state.entries[Int(slot)].details
      // What was left before is not what there is now.
      state.departures[slot] = nil
      guard isKept, details.hasState, !details.isLocked else { return nil }
      return DepartedState(
        session: handle(slot), identifier: state.entries[Int(slot)].identifier, details: details,
        departure: state.depart(slot))
    }
    if let left { departed.append(left) }
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
    // Taken out while they are written: an effect may bring more.
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

  /// Gives changes to the store's writer; returns whether they are durable already.
  @discardableResult
  private func write(_ batch: SnapshotWriter.Batch) -> Bool {
    unsafe writer._withUnsafeGuaranteedRef { $0.write(batch) }
  }

  /// Forgets what is to be stored, as if the process had ended.
  func abandon() {
    batch.fail(SceneError.notRunning)
    batch = SnapshotWriter.Batch()
    departed = []
  }
}
