// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// One of the serial executors that scenes borrow, and the FIFO that feeds it.
///
/// Messages, events and plans of a shard's sessions stand in one FIFO, so that they share one
/// order. A task that awaits a result does the work itself: it enters the shard's executor inline
/// and runs what is queued, its own item included. The shard's own task serves only what nobody
/// waits for.
@safe
actor Shard {
  nonisolated let core: ApplicationCore
  /// The core's writer, which lives as long as the core: every pass of every shard goes through it,
  /// and a counted reference would be counted by all processors at once.
  private nonisolated let writer: Unmanaged<SnapshotWriter>
  nonisolated let mailbox: ShardMailbox
  nonisolated let number: Int
  nonisolated let sealer: SavedStateSealer
  private let lease: ExecutorLease

  // What follows is touched on the executor only.

  /// Whether the application delegate chooses configurations.
  var asksConfiguration = false
  /// What scenes are connected with, while the application runs.
  var context: SceneContext?
  /// The connected scenes, by slot.
  ///
  /// The mailbox's entries hold them; here they are looked up and prefetched without counting
  /// references.
  var scenes = PagedArray<BorrowedScene?>()
  /// What the store is to be brought after this pass.
  var batch = SnapshotWriter.Batch()
  /// Sessions that have lost their scenes in this pass, with the state that the scenes left.
  var departed: [DepartedState] = []
  /// How many requests that were new work are finished.
  var finishedWork = 0
  /// How many of them have connected a session again.
  var finishedReconnections = 0
  var lanes = LaneTable()
  /// The saved states that lanes and updates wait for.
  var reads = StateReads()
  /// How many decisions were carried out about sessions without the scene that something queued
  /// may count on: what was decided later is not to be touched for it.
  var carriedOut: [Int32: UInt32] = [:]
  /// What is noted for the policy of disconnection, if there is one.
  var pressure: ShardPressure?
  /// The application ends, and no restoration is waited for any more.
  var isEnding = false
  private var reportedLanes = 0
  private var spare: [ShardItem] = []
  /// What was queued meanwhile is run before the task that drains goes on.
  var isAnotherPassWanted = false

  init(core: ApplicationCore, number: Int, lease: ExecutorLease) {
    self.core = core
    unsafe writer = .passUnretained(core.writer)
    self.number = number
    mailbox = core.directory.mailboxes[number]
    sealer = SavedStateSealer(
      core.writer, core.settings.stateMigrations.current, core.settings.savedStateLimits)
    self.lease = lease
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe lease.executor
  }

  nonisolated func handle(_ slot: Int32) -> SessionHandle {
    SessionHandle(slot: Int(slot), shard: number, shardBits: core.directory.shardBits)
  }

  /// Gives changes to the store's writer.
  ///
  /// - Returns: Whether they are durable already.
  @discardableResult
  func write(_ batch: SnapshotWriter.Batch) -> Bool {
    unsafe writer._withUnsafeGuaranteedRef { $0.write(batch) }
  }

  /// Lets scenes be connected.
  ///
  /// - Parameter application: The application, which is held until the shard is closed.
  func open(_ application: any AnyObject & Sendable) {
    let (mailbox, number, bits) = (mailbox, number, core.directory.shardBits)
    context = SceneContext(
      application: application, services: core.sceneServices, lease: lease, sealer: sealer,
      tally: mailbox.tally, shard: number,
      signal: { mailbox.post(ShardItem(slot: $1, work: ShardItem.Work($0))) },
      handle: { SessionHandle(slot: Int($0), shard: number, shardBits: bits) },
      hasPendingRefresh: { slot in
        mailbox.state.withLock { $0.entries[Int(slot)].hasPendingRefresh }
      })
    asksConfiguration = core.gate.withLock { $0.asksConfiguration }
    adopt(core.pressure.control)
  }

  /// Lets go of the application.
  func close() {
    context = nil
    mailbox.close()
    // At an orderly end nothing is left; whoever waits for what is, must not wait for ever.
    var batch: [ShardItem] = []
    mailbox.take(into: &batch)
    for item in batch + lanes.removeAll() { item.fail(SceneError.notRunning) }
    for update in reads.removeAll() { update.fail(SceneError.notRunning) }
  }

  /// Lets go of everything, as if the process had ended: no callback, nothing written.
  func abandon() {
    pressure = nil
    for slot in 0..<scenes.count where scenes[slot] != nil { setScene(nil, Int32(slot)) }
    batch.fail(SceneError.notRunning)
    batch = SnapshotWriter.Batch()
    departed = []
    close()
  }

  // MARK: - Scenes

  /// The scene that is connected to a slot's session.
  func scene(_ slot: Int32) -> Scene? {
    guard Int(slot) < scenes.count else { return nil }
    return scenes[Int(slot)]?.scene
  }

  /// Keeps a scene while it is connected, or lets go of it.
  func setScene(_ scene: Scene?, _ slot: Int32) {
    while scenes.count <= Int(slot) { scenes.append(nil) }
    scenes[Int(slot)] = scene.map { BorrowedScene($0) }
    if scene == nil, !reads.withheld.isEmpty { reads.withheld.remove(slot) }
    if scene != nil, !carriedOut.isEmpty { carriedOut[slot] = nil }
    mailbox.state.withLock { state in
      state.entries[Int(slot)].scene = scene
    }
    guard let pressure else { return }
    if let scene {
      pressure.didConnect(slot, session: scene.persistentIdentifier)
    } else {
      pressure.didDisconnect(slot)
    }
  }

  /// The connected scenes, by slot.
  var connectedScenes: [Scene] { (0..<scenes.count).compactMap { scenes[$0]?.scene } }

  // MARK: - The pump

  /// Serves what nobody waits for, until the shard is closed.
  nonisolated func serve() async {
    while await mailbox.waitForWork() {
      await drain()
    }
  }

  /// Runs what has come in.
  ///
  /// When it returns, every item that was queued before the call has run or stands in a parked
  /// lane. It never suspends: a scene is reached without leaving the executor.
  func drain() {
    repeat {
      isAnotherPassWanted = false
      runPass()
    } while isAnotherPassWanted
  }

  private func runPass() {
    var batch = spare
    spare = []
    mailbox.take(into: &batch)
    var delivered = 0
    prefetchFirst(of: batch)
    var index = runMessages(of: batch, from: 0, &delivered)
    while index < batch.count {
      runNext(batch[index], &delivered)
      index = runMessages(of: batch, from: index + 1, &delivered)
    }
    batch.removeAll(keepingCapacity: batch.count <= core.settings.eventLimit)
    spare = batch
    finishPass(delivered)
  }

  /// Runs an item, or sets it aside, and what it has made way for.
  private func runNext(_ item: ShardItem, _ delivered: inout Int) {
    if !item.standsInLane {
      runAside(item)
    } else if lanes.blocks(item) || !mayRun(item) {
      lanes.setAside(item)
    } else {
      delivered += item.isCounted ? 1 : 0
      return run(item)
    }
    while let next = lanes.next(mayRun: mayRun) {
      delivered += next.isCounted ? 1 : 0
      run(next)
    }
  }

  /// Whether the first item of a lane can run: what it waits for must have been answered.
  private func mayRun(_ item: ShardItem) -> Bool {
    isAnswered(item) && hasState(for: item)
  }

  private func isAnswered(_ item: ShardItem) -> Bool {
    switch item.work {
    case .plan(let plan):
      guard let question = plan.question else { return true }
      return question.handshake.answerOrPark() != nil
    case .rest(let held): return held.handshake.map { $0.answerOrPark() != nil } ?? true
    default: return true
    }
  }

  func finishPass(_ delivered: Int) {
    if delivered > 0 || reportedLanes != lanes.count {
      mailbox.settle(
        delivered: delivered, parkedLanes: lanes.count, limit: core.settings.eventLimit)
      reportedLanes = lanes.count
    }
    mailbox.finishedWork.store(finishedWork, ordering: .relaxed)
    noteReconnections()
    if let pressure { relieve(pressure) }
    writeChanges()
    let questions = reads.takeQuestions()
    if !questions.isEmpty { core.states.ask(questions) }
  }

  /// Lets others have their turns for the sessions that are connected.
  private func noteReconnections() {
    guard mailbox.finishedReconnections.load(ordering: .relaxed) != finishedReconnections else {
      return
    }
    mailbox.finishedReconnections.store(finishedReconnections, ordering: .sequentiallyConsistent)
    core.giveTurns()
  }

  private func run(_ item: ShardItem) {
    if core.isAbandoned { return item.fail(SceneError.notRunning) }
    if let pressure, item.isUse { pressure.didUse(item.slot) }
    switch item.work {
    case .message(let message): deliver(message, to: item.slot)
    case .call(let message, let ticket): call(message, ticket, item.slot)
    case .durable(let message, let ticket): deliver(message, durably: ticket, item.slot)
    case .plan(let plan): carryOut(plan, item.slot, nil)
    case .rest(let held): carryOut(held.plan, item.slot, held)
    case .bury:
      core.directory.erase(core.directory.identifier(handle(item.slot)), handle(item.slot))
      core.free(handle(item.slot))
    case .archive(let decisions):
      guard scene(item.slot) == nil else { return }
      let done = core.gate.withLock { gate in
        gate.archive(handle(item.slot), decisions: decisions)
      }
      if let done {
        noteCarriedOut(done, item.slot)
      }
    case .release, .update, .visit, .state, .askState, .resume, .expire, .capture,
      .abandonRestorations,
      .pressure:
      preconditionFailure("it stands in no lane")
    }
    _ = reads.takeError(item.slot)
    if item.mayConnect, scene(item.slot) == nil { leaveUnused(item.slot) }
  }

  /// Runs what does not wait for its session's lane.
  private func runAside(_ item: ShardItem) {
    if core.isAbandoned { return item.fail(SceneError.notRunning) }
    switch item.work {
    case .release: lanes.release(item.slot)
    case .update(let update): runOrHold(update, item.slot)
    case .state(let answer): take(answer, item.slot)
    case .askState: askWithheldState(item.slot)
    case .resume(let resumed): resume(resumed, item.slot)
    case .visit: visit(item.slot)
    case .expire(let scene): expire(scene, item.slot)
    case .capture(let scene, let mark): capture(scene, item.slot, markedAt: mark)
    case .abandonRestorations: abandonRestorations()
    case .pressure(let request): take(request)
    case .message, .call, .durable, .plan, .rest, .bury, .archive:
      preconditionFailure("it stands in a lane")
    }
  }
}
