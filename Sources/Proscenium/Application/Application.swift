// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
package import Logging

/// A program's sessions and their scenes: the actor that puts every request about them in order.
///
/// ``withRunning(manifest:store:settings:log:delegate:_:)`` launches an application, hands it to a
/// closure, and ends it in order. The sessions that the store kept are there before the first
/// callback. After the end requests, messages, ``route(_:role:source:)`` and
/// ``explain(_:role:source:limit:)`` throw `notRunning`; look-ups show the sessions as the end left
/// them.
///
/// Requests are ordered by *admission*: each is decided in one step, in the order in which they
/// arrive, and carried out afterwards by the sessions' shards. Every request has two forms:
/// `submit` is synchronous and can be called from anywhere, callbacks included; the asynchronous
/// form returns after the transition.
public actor Application {

  /// How near the application is to its user.
  public typealias State = ApplicationState

  nonisolated let core: ApplicationCore
  nonisolated let shards: [Shard]
  private let lease: ExecutorLease
  private let makeDelegate: (@Sendable () -> any ApplicationDelegate)?
  private(set) var delegate: (any ApplicationDelegate)?
  /// How often the program's own restoration was extended and not completed.
  var restorations = 0
  /// Set by the default implementations of the delegate's methods.
  package var isUnhandled = false

  /// Creates an application; nothing happens before ``run()``.
  ///
  /// For the device, the simulator and tests, which launch it step by step: until the launch has
  /// restored the sessions, look-ups find none. The parameters are those of
  /// ``withRunning(manifest:store:settings:log:delegate:_:)``.
  package init(
    manifest: SceneManifest, store: any SessionStore = InMemorySessionStore(),
    settings: ApplicationSettings = .init(), log: Logger = Logger(label: "proscenium"),
    delegate: (@Sendable () -> any ApplicationDelegate)? = nil
  ) {
    lease = settings.makeExecutor()
    makeDelegate = delegate
    let core = ApplicationCore(
      manifest: manifest.isEmpty && settings.allowsLegacy ? .legacy : manifest,
      store: store, settings: settings,
      hasApplicationDelegate: delegate != nil, log: log)
    self.core = core
    shards = core.directory.mailboxes.indices.map {
      Shard(core: core, number: $0, lease: settings.makeExecutor())
    }
  }

  /// The executor that the settings lease to the application.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe lease.executor
  }

  /// Launches the application, serves, and ends it in order.
  ///
  /// The launch loads the store and reports pending discards before the first scene connects
  /// (R-LCH-2). After ``shutDown()`` or cancellation every scene goes to the
  /// background, is captured and disconnected; then the delegate is told and the store is brought
  /// up to date.
  ///
  /// It also returns after ``ApplicationSettings/LastSessionClose/uikitCompat`` has ended it.
  ///
  /// - Throws: The store's error if it cannot be loaded or if the last changes cannot be written;
  ///   ``SceneError/Code/alreadyRun`` if the application was run before;
  ///   ``SceneError/Code/sceneLifecycleRequired`` if the manifest has no configuration and the
  ///   delegate chooses none (R-LEG-1).
  package nonisolated func run() async throws {
    try core.beginLaunch()
    do {
      try await makeDelegateOfApplication()
      try await core.restore()
    } catch {
      core.end()
      core.events.finish()
      throw error
    }
    // Not a child: what is left at the end is written although the run was cancelled. Urgent, since
    // it has little to do and many wait for it: behind busy shards it would begin a commit seldom.
    let executor = core.settings.taskExecutor ?? core.writer.store.executor
    let writing = Spawner(executor: executor).start(priority: .high) {
      try await self.core.writer.serve()
    }
    let loops = ServingLoops(core: core)
    await withTaskGroup { group in
      for shard in shards {
        await shard.open(self)
        group.addTask(on: core.settings.taskExecutor) { await shard.serve() }
      }
      group.addTask(on: core.settings.taskExecutor) { await loops.states() }
      // What no task awaits, until the queue is closed.
      group.addTask(on: core.settings.taskExecutor) {
        while await self.core.applicationQueue.waitForWork() { await self.serveDelegate() }
      }
      group.addTask(on: core.settings.taskExecutor) { await loops.deadlines() }
      group.addTask(on: core.settings.taskExecutor) { await loops.pressure() }
      group.addTask(on: core.settings.taskExecutor) { await loops.wakes() }
      if let permit = core.permit {
        group.addTask(on: core.settings.taskExecutor) { await loops.pauses(permit) }
      }
      if let expiry = core.expiry {
        group.addTask(on: core.settings.taskExecutor) { await loops.reviews(expiry) }
      }
      if core.settings.reconnectionRate != nil {
        group.addTask(on: core.settings.taskExecutor) { await loops.reconnections() }
      }
      if let budget = core.callbackBudget {
        group.addTask(on: core.settings.taskExecutor) { await loops.callbacks(budget) }
      }
      await launch()
      await core.shutdown.wait()
      await end()
      group.cancelAll()
    }
    await core.sceneTasks.end()
    core.events.finish()
    let written = await writing.result
    // After the last commit, for which input and frames have waited.
    for shard in shards { await shard.endLines() }
    try written.get()
  }

  // MARK: - Launch

  private func makeDelegateOfApplication() throws(SceneError) {
    delegate = makeDelegate?()
    let chooses = delegate is any ConfiguringApplicationDelegate
    guard chooses || !core.catalog.manifest.isEmpty else {
      throw SceneError(
        .sceneLifecycleRequired,
        "the manifest has no configuration and the application delegate chooses none; expected "
          + "one of them, or settings that allow an application without scenes")
    }
    core.gate.withLock { $0.asksConfiguration = chooses }
  }

  /// SEQ-LAUNCH; one that is killed on the way goes no further.
  private func launch() {
    if core.isAbandoned { return }
    delegate?.applicationWillFinishLaunching(self)
    if core.isAbandoned { return }
    delegate?.applicationDidFinishLaunching(self)
    if core.isAbandoned { return }
    core.events.report(nil, .applicationNotification(.didFinishLaunching), on: .states)
    let discarded = core.takePendingDiscards()
    if !discarded.isEmpty {
      delegate?.application(self, didDiscardSceneSessions: discarded.map(\.session))
      core.forget(discarded)
    }
    core.openGate()
  }

  // MARK: - The delegate's queue

  /// Asks and tells the delegate everything that is queued now.
  func serveDelegate() {
    for item in core.applicationQueue.take() {
      if core.isAbandoned {
        item.fail(SceneError.notRunning)
      } else {
        item.carryOut(by: self)
      }
    }
  }

  // MARK: - The end

  private func end() async {
    core.permit?.lift()
    switch core.gate.withLock({ $0.ending }) {
    case .orderly: await terminate()
    case .left: await leave()
    case .abandoned: break
    }
    if core.isAbandoned {
      for shard in shards { await shard.abandon() }
      serveDelegate()
    }
    if restorations > 0 { core.writer.setRestoring(false) }
    delegate = nil
    for shard in shards { await shard.close() }
    SessionReviews(core: core).noteRunningTime()
    core.states.close()
    core.applicationQueue.close()
    core.writer.close()
    core.end()
  }

  /// Every scene to the background, captured and disconnected; then the delegate is told (2.8 e).
  private func terminate() async {
    core.beginClosing()
    await settle()
    if core.isAbandoned { return }
    delegate?.applicationWillTerminate(self)
    core.events.report(nil, .applicationNotification(.willTerminate), on: .states)
    // What the delegate has submitted is the last that is carried out.
    core.gate.withLock { $0.phase = .ended }
    await settle()
  }

  /// The last session was closed: what was decided before is still told, the end is not.
  private func leave() async {
    core.abandonRestorations()
    await settle()
    // From here on nothing is admitted that a closed shard would not carry out.
    core.gate.withLock { $0.phase = .ended }
    await settle()
  }

  /// Waits until nothing is in flight: every request, event and message that was accepted has run.
  ///
  /// What waits for a later command, like a parked lane, is not waited for. While others go on
  /// sending, it may take as long as they do.
  public nonisolated func settle() async {
    var before = core.progress.takes
    while true {
      // What was taken before is finished once its executor has been visited. What is taken from
      // here on, by whatever task, asks for another round.
      core.postDeadlines()
      core.sharedPressure.look()
      core.postWakes()
      SessionReviews(core: core).post()
      await serveDelegate()
      await core.states.settle()
      for shard in shards { await shard.drain() }
      let (isIdle, takes) = core.progress
      if isIdle, takes == before { return }
      before = takes
    }
  }
}
