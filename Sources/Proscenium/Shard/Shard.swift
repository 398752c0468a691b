// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// One of the serial executors that scenes borrow, and the FIFO that feeds it.
///
/// Messages, events and plans of a shard's sessions are in one FIFO, so that they share one order.
/// A task that awaits a result does the work itself: it enters the shard's executor inline and runs
/// what is queued, its own item included. The shard's own task serves only what no task awaits.
@safe
actor Shard {
  nonisolated let core: ApplicationCore
  nonisolated let mailbox: ShardMailbox
  nonisolated let number: Int
  private let lease: ExecutorLease

  // What follows is touched on the executor only.

  let scenes: ShardScenes
  /// Whether the application delegate chooses configurations.
  private(set) var asksConfiguration = false
  /// How many requests that were new work are finished.
  private var finishedWork = 0
  /// How many of them have connected a session again.
  private var finishedReconnections = 0
  var lanes = LaneTable()
  /// The saved states that lanes and updates wait for.
  var reads = StateReads()
  var carriedOut = CarriedDecisions()
  /// The lines of sessions that have clients.
  var lines: SessionLines
  /// The sessions that are looked at when the pass is over.
  private var reviews: [(slot: Int32, look: ExpiryLedger.Look)] = []
  /// What is noted for the policy of disconnection, if there is one.
  private(set) var pressure: ShardPressure?
  /// The application ends, and no restoration is waited for any more.
  var isEnding = false
  private var reportedLanes = 0
  private var spare: [ShardItem] = []
  /// The sessions that another process has taken over: what they were sent is lost.
  private(set) var fenced: Set<Int32> = []
  /// What was queued during the pass is run before the task that drains goes on.
  var isAnotherPassWanted = false

  init(core: ApplicationCore, number: Int, lease: ExecutorLease) {
    self.core = core
    self.number = number
    mailbox = core.directory.mailboxes[number]
    scenes = ShardScenes(core, number)
    lines = SessionLines(core.movingLines)
    self.lease = lease
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe lease.executor
  }

  nonisolated func handle(_ slot: Int32) -> SessionHandle {
    SessionHandle(slot: Int(slot), shard: number, shardBits: core.directory.shardBits)
  }

  /// Lets scenes be connected.
  ///
  /// - Parameter application: The application, which is held until the shard is closed.
  func open(_ application: any AnyObject & Sendable) {
    let mailbox = mailbox
    scenes.context = SceneContext(
      application: application, services: core.sceneServices, lease: lease, sealer: scenes.sealer,
      tally: mailbox.tally, shard: number, shardBits: core.directory.shardBits,
      signal: { mailbox.post(ShardItem(slot: $1, work: ShardItem.Work($0))) },
      hasPendingRefresh: { slot in
        mailbox.state.withLock { $0.entries[Int(slot)].flags[.hasPendingRefresh] }
      })
    asksConfiguration = core.gate.withLock { $0.asksConfiguration }
    adopt(core.pressure.control)
  }

  /// Lets go of the application.
  func close() {
    ExpiryRun.noteLastUses(in: self)
    scenes.context = nil
    mailbox.close()
    // At an orderly end nothing is left; a caller that waits for what is must not wait for ever.
    var passes = 1
    while passes > 0 {
      var batch: [ShardItem] = []
      passes = mailbox.take(into: &batch)
      for item in batch { item.fail(SceneError.notRunning) }
    }
    for item in lanes.removeAll() { item.fail(SceneError.notRunning) }
    for update in reads.removeAll() { update.fail(SceneError.notRunning) }
  }

  /// Ends the lines of all clients, after the last commit.
  func endLines() {
    lines.endAll(.applicationEnded)
  }

  /// Lets go of everything, as if the process had ended: no callback, nothing written.
  func abandon() {
    pressure = nil
    for scene in scenes.all { setScene(nil, scene.slot) }
    scenes.abandon()
    close()
  }

  // MARK: - The pump

  /// Serves what no task awaits, until the shard is closed.
  nonisolated func serve() async {
    while await mailbox.waitForWork() {
      await core.permit?.wait()
      // Others that wait for a thread go before the next pass.
      if await drain(isPartial: true) { await Task.yield() }
    }
  }

  /// Runs what has come in.
  ///
  /// When it returns false, every item that was queued before the call has run or is in a parked
  /// lane. It never suspends: a scene is reached without leaving the executor.
  ///
  /// - Parameter isPartial: Whether one pass is enough if more is queued.
  /// - Returns: Whether more is queued.
  @discardableResult
  func drain(isPartial: Bool = false) -> Bool {
    var passes = runPass()
    if isPartial, passes > 0 { return true }
    while passes > 0 || isAnotherPassWanted {
      if isAnotherPassWanted { passes = mailbox.passes }
      _ = runPass()
      passes -= 1
    }
    return false
  }

  /// Runs the first part of what has come in; returns how many passes the rest takes.
  private func runPass() -> Int {
    isAnotherPassWanted = false
    // The shard's own task goes on when it may.
    if let permit = core.permit {
      guard permit.isValid else {
        mailbox.ring()
        return 0
      }
      fenced = mailbox.state.withLock { $0.fenced }
    }
    var batch = spare
    spare = []
    let passes = mailbox.take(into: &batch)
    var delivered = 0
    scenes.prefetchFirst(of: batch)
    if scenes.watchesUses { core.expiry?.beginPeriodIfDue(of: &scenes.uses) }
    var index = runMessages(of: batch, from: 0, &delivered)
    while index < batch.count {
      runNext(batch[index], &delivered)
      index = runMessages(of: batch, from: index + 1, &delivered)
    }
    batch.removeAll(keepingCapacity: batch.count <= core.settings.eventLimit)
    spare = batch
    finishPass(delivered)
    return passes
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
    let isAnswered =
      switch item.work {
      case .plan(let plan): plan.question.map { $0.handshake.answerOrPark() != nil } ?? true
      case .rest(let held): held.handshake.map { $0.answerOrPark() != nil } ?? true
      default: true
      }
    return isAnswered && hasState(for: item)
  }

  func finishPass(_ delivered: Int) {
    if delivered > 0 || reportedLanes != lanes.count {
      mailbox.settle(
        delivered: delivered, parkedLanes: lanes.count, limit: core.settings.eventLimit)
      reportedLanes = lanes.count
    }
    mailbox.finishedWork.store(finishedWork, ordering: .relaxed)
    if mailbox.finishedReconnections.load(ordering: .relaxed) != finishedReconnections {
      mailbox.finishedReconnections.store(finishedReconnections, ordering: .sequentiallyConsistent)
      // Others have their turns for the sessions that are connected.
      core.giveTurns()
    }
    pressure?.relieve(self)
    let reviewed = scenes.watchesUses ? ExpiryRun.carryOut(&reviews, in: self) : 0
    scenes.writeChanges()
    if reviewed > 0 { SessionReviews(core: core).finish(reviewed) }
    let questions = reads.takeQuestions()
    if !questions.isEmpty { core.states.ask(questions) }
  }

  /// Counts a plan that needs nothing more.
  func countFinished(_ plan: Plan) {
    if plan.isNewWork { finishedWork += 1 }
    if plan.isReconnection { finishedReconnections += 1 }
  }

  private func run(_ item: ShardItem) {
    if core.isAbandoned { return item.fail(SceneError.notRunning) }
    if !fenced.isEmpty, fenced.contains(item.slot), item.plan == nil { return item.lose(in: self) }
    if let pressure, item.isUse { pressure.didUse(item.slot) }
    if scenes.watchesUses, item.isUseOfSession { scenes.uses.note(item.slot) }
    switch item.work {
    case .message(let message): deliver(message, to: item.slot)
    case .call(let message, let ticket): call(message, ticket, item.slot)
    case .stream(let message, let reply): ClientRun(item.slot).stream(message, reply, in: self)
    case .durable(let message, let ticket): deliver(message, durably: ticket, item.slot)
    case .attach(let request): ClientRun(item.slot).attach(request, in: self)
    case .input(let input): ClientRun(item.slot).deliver(input, in: self)
    case .render(let request): ClientRun(item.slot).render(request, in: self)
    case .plan(let plan): PlanRun(plan, item.slot).carryOut(in: self)
    case .rest(let held): PlanRun(held.plan, item.slot, held).carryOut(in: self)
    case .bury:
      core.directory.erase(core.directory.identifier(handle(item.slot)), handle(item.slot))
      core.free(handle(item.slot))
    case .archive(let decisions):
      guard scenes[item.slot] == nil else { return }
      let done = core.gate.withLock { gate in
        gate.archive(handle(item.slot), decisions: decisions)
      }
      if let done { carriedOut.note(done, item.slot) }
    case .release, .update, .visit, .state, .askState, .resume, .expire, .capture,
      .abandonRestorations, .absence, .review, .pressure:
      preconditionFailure("it has no place in a lane")
    }
    _ = reads.takeError(item.slot)
    if item.mayConnect, scenes[item.slot] == nil { leaveUnused(item.slot) }
  }

  /// Runs what does not wait for its session's lane.
  private func runAside(_ item: ShardItem) {
    if core.isAbandoned { return item.fail(SceneError.notRunning) }
    switch item.work {
    case .release: lanes.release(item.slot)
    case .update(let update): UpdateRun(update, item.slot).carryOutOrHold(in: self)
    case .state(let answer): take(answer, item.slot)
    case .askState: askWithheldState(item.slot)
    case .resume(let resumed): scenes.resume(resumed, item.slot)
    case .visit: scenes.visit(item.slot)
    case .expire(let scene): expire(scene, item.slot)
    case .capture(let scene, let mark): scenes.capture(scene, item.slot, markedAt: mark)
    case .abandonRestorations: abandonRestorations()
    case .absence(let line, let absence): ClientRun(item.slot).leave(line, absence, in: self)
    // When the pass is over: what is behind it in the batch may be a use.
    case .review(let look): reviews.append((item.slot, look))
    case .pressure(.adopt(let control)): adopt(control)
    case .pressure(let request): pressure?.take(request)
    case .message, .call, .stream, .durable, .attach, .input, .render, .plan, .rest, .bury,
      .archive:
      preconditionFailure("it has its place in a lane")
    }
  }

  // MARK: - Scenes come and go

  /// Keeps a scene while it is connected, or lets go of it.
  func setScene(_ scene: Scene?, _ slot: Int32) {
    scenes[slot] = scene
    if let scene {
      carriedOut.forget(slot)
      if let line = lines.take(slot, of: scene.persistentIdentifier) {
        scene.assumeIsolated { $0.ensureExtras().line = line }
      }
      pressure?.didConnect(slot, session: scene.persistentIdentifier)
      if scenes.watchesUses, let expiry = core.expiry,
        let limit = expiry.limit(scene.configuration.role)
      {
        expiry.beginUse(of: handle(slot), limit: limit)
      }
    } else {
      if !reads.withheld.isEmpty { reads.withheld.remove(slot) }
      pressure?.didDisconnect(slot)
    }
  }

  /// Lets go of a scene that has disconnected.
  ///
  /// - Parameters:
  ///   - slot: The session's.
  ///   - reason: Why it has disconnected.
  ///   - isKept: Whether the store has the state that it left, or is about to get it.
  func release(_ slot: Int32, _ reason: LifecycleEvent.Reason, isKept: Bool) {
    guard let scene = scenes[slot] else { return }
    if lines[slot] != nil { scene.assumeIsolated { $0.extras?.takeBackFrames() } }
    setScene(nil, slot)
    scenes.leaveState(slot, isKept: isKept)
    scenes.report(scene.persistentIdentifier, .disconnected(reason))
  }

  /// Makes a scene for what was sent to a session while it had one: a restoration that took too
  /// long has cost it that scene since.
  func reconnect(_ slot: Int32) -> Scene? {
    let plan = core.gate.withLock { gate in
      gate.reconnect(handle(slot), carriedOut: carriedOut[slot])
    }
    guard let plan else { return nil }
    PlanRun(plan, slot).bring(in: self)
    return scenes[slot]
  }

  /// Follows a policy of disconnection from now on, or none; every scene counts as connected just
  /// now.
  private func adopt(_ control: PressureControl?) {
    guard pressure?.control !== control else { return }
    pressure = nil
    guard let control else { return }
    mailbox.isSpent.store(false, ordering: .relaxed)
    let made = ShardPressure(control, number: number, shards: core.directory.mailboxes.count)
    for scene in scenes.all { made.didConnect(scene.slot, session: scene.persistentIdentifier) }
    pressure = made
  }
}
