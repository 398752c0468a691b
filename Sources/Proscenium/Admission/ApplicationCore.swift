// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Synchronization

/// What the application, its shards and its callers share.
///
/// It knows the mailboxes of the shards, not the shards, so that nothing here holds a scene.
final class ApplicationCore: Sendable {
  let settings: ApplicationSettings
  let shardBits: Int
  let mailboxes: [ShardMailbox]
  let gate: Apart<Guarded<Gate>>
  /// How far the application is: every request reads it without taking the gate.
  let stage = Atomic(Stage.new)
  /// How many wait for a turn to connect a session again: shards look at it without the gate.
  let waitingReconnections = Atomic<Int>(0)
  let router: ContentRouter
  let residual: ResidualReport
  let catalog: ConfigurationCatalog
  let tally = Apart(ApplicationTally())
  let events: EventHub
  let writer: SnapshotWriter
  let states: StoredStates
  let applicationQueue = Inbox<ApplicationItem>()
  let hasApplicationDelegate: Bool
  let log: Logger
  /// Whether the application delegate chooses configurations; set once, by the launch.
  private let configures = Atomic<Bool>(false)
  let deadlines: Deadlines
  let wakes: WakeSchedule
  let sceneTasks: SceneTasks
  let pressure: PressureWatch
  /// Rings when somebody waits whose session may be connected again once time has passed.
  let reconnectionBell = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  /// How long callbacks may take, if that is limited.
  let callbackBudget: CallbackBudget?
  let shutdown = ShutdownSignal()

  /// How far an application is.
  enum Stage: UInt8, AtomicRepresentable {
    /// The sessions that the store kept are unknown.
    case new
    /// The application delegate is told of the launch; requests wait.
    case restored
    case launched
    /// It has ended, or was never launched and will not be.
    case ended
  }

  /// Whether no request waits for the launch any more.
  var isLaunched: Bool {
    switch stage.load(ordering: .acquiring) {
    case .new, .restored: false
    case .launched, .ended: true
    }
  }

  let rules: SceneRules

  init(
    manifest: SceneManifest, store: any SessionStore, settings: ApplicationSettings,
    hasApplicationDelegate: Bool, log: Logger
  ) {
    let settings = settings.inRange
    let manifest = manifest.completed
    self.settings = settings
    let shardBits = settings.shardBits
    let mailboxes = (0..<1 << shardBits).map { _ in ShardMailbox() }
    self.shardBits = shardBits
    self.mailboxes = mailboxes
    router = ContentRouter(
      rules: RoutingRules(
        supportsMultipleScenes: manifest.supportsMultipleScenes,
        sessionQuota: settings.sessionQuota),
      shardBits: shardBits
    ) { handle in
      mailboxes[handle.shard(shardBits)].state.withLock {
        $0.entries[handle.slot(shardBits)].identifier
      }
    }
    gate = Apart(
      guarding: Gate(
        ledger: SessionLedger(
          rules: SessionLedger.Rules(
            foregroundCapacity: settings.foregroundCapacity, sessionQuota: settings.sessionQuota,
            supportsMultipleScenes: manifest.supportsMultipleScenes, shardBits: shardBits)),
        reconnections: ReconnectionQueue(
          limit: settings.reconnectionLimit, rate: settings.reconnectionRate,
          waitingLimit: settings.reconnectionWaitingLimit),
        isLocked: !settings.isProtectedDataAvailable,
        onAdmission: settings.onAdmission))
    residual = ResidualReport(settings.metrics)
    catalog = ConfigurationCatalog(manifest)
    deadlines = Deadlines(clock: settings.clock)
    let wallClock = settings.wallClock
    wakes = WakeSchedule(clock: settings.clock) { Wake.time(of: wallClock()) }
    sceneTasks = SceneTasks(executor: settings.taskExecutor)
    pressure = PressureWatch(
      settings.disconnectionPolicy, clock: settings.clock, metrics: settings.metrics)
    let budget = settings.callbackBudget.map {
      CallbackBudget(
        $0, clock: settings.clock, metrics: settings.metrics, shards: mailboxes.count)
    }
    callbackBudget = budget
    rules = SceneRules(
      settings, declaredTypes: manifest.activityTypes.map(Set.init),
      hasApplicationDelegate: hasApplicationDelegate, budget: budget)
    events = EventHub(clock: settings.clock, observers: settings.observers, log: log)
    writer = SnapshotWriter(
      store, clock: settings.clock, interval: settings.commitInterval, metrics: settings.metrics,
      events: events, log: log)
    states = StoredStates(store, settings.stateMigrations)
    self.hasApplicationDelegate = hasApplicationDelegate
    self.log = log
  }

  // MARK: - Finding sessions

  func mailbox(_ handle: SessionHandle) -> ShardMailbox {
    mailboxes[handle.shard(shardBits)]
  }

  /// The mailbox in whose directory an identifier stands.
  func home(_ spread: UInt64) -> Int {
    Int(spread >> 32) & (mailboxes.count - 1)
  }

  /// Asks the processor to fetch what ``find(_:)`` goes through first.
  func prefetch(_ identifier: SessionIdentifier) {
    let spread = identifier.spread
    mailboxes[home(spread)].state.withLock { $0.directory.prefetch(spread) }
  }

  /// Finds the session that an identifier names.
  ///
  /// The directory has a session from the moment in which it is made until its discard was told,
  /// which is longer than either view has it.
  func find(
    _ identifier: SessionIdentifier, in view: SessionView = .admitted
  ) -> SessionHandle? {
    let spread = identifier.spread
    let home = home(spread)
    var others: [SessionHandle] = []
    while true {
      let found = mailboxes[home].state.withLock { state in
        state.directory.find(spread) { number in
          let handle = SessionHandle(rawValue: number)
          guard handle.shard(shardBits) == home else { return !others.contains(handle) }
          let slot = handle.slot(shardBits)
          return state.entries[slot].identifier == identifier && state.entries[slot].isIn(view)
        }
      }
      guard let found = found.map(SessionHandle.init(rawValue:)) else { return nil }
      if found.shard(shardBits) == home || has(found, identifier, in: view) { return found }
      // One of another shard with an equal hash, or one whose end is near: look behind it.
      others.append(found)
    }
  }

  private func has(
    _ handle: SessionHandle, _ identifier: SessionIdentifier, in view: SessionView
  ) -> Bool {
    let slot = handle.slot(shardBits)
    return mailbox(handle).state.withLock { state in
      state.entries[slot].identifier == identifier && state.entries[slot].isIn(view)
    }
  }

  func entry(_ handle: SessionHandle) -> ShardMailbox.Entry {
    mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)] }
  }

  func identifier(_ handle: SessionHandle) -> SessionIdentifier {
    mailbox(handle).state.withLock { $0.entries[handle.slot(shardBits)].identifier }
  }

  /// The session value of an entry.
  func session(_ entry: ShardMailbox.Entry) -> SceneSession {
    session(entry, catalog.configuration(entry.configuration))
  }

  func session(_ handle: SessionHandle) -> SceneSession {
    let (entry, configuration) = mailbox(handle).state.withLock { state in
      let entry = state.entries[handle.slot(shardBits)]
      return (entry, catalog.configuration(entry.configuration))
    }
    return session(entry, configuration)
  }

  private func session(
    _ entry: ShardMailbox.Entry, _ configuration: SceneConfiguration
  ) -> SceneSession {
    SceneSession(
      persistentIdentifier: entry.identifier, configuration: configuration,
      details: entry.details, stored: entry.isStateStored ? states : nil,
      hasPendingRefresh: entry.hasPendingRefresh)
  }

  /// Enters a session under its identifier.
  func enter(_ entry: ShardMailbox.Entry, _ handle: SessionHandle) {
    let slot = handle.slot(shardBits)
    let shard = handle.shard(shardBits)
    let spread = entry.identifier.spread
    let home = home(spread)
    mailboxes[shard].state.withLock { state in
      state.put(entry, slot)
      if shard == home { state.directory.insert(handle.rawValue, spread) }
    }
    if shard == home { return }
    mailboxes[home].state.withLock { $0.directory.insert(handle.rawValue, spread) }
  }

  /// Forgets a session that is in neither view any more: its identifier names nothing from now on.
  func erase(_ identifier: SessionIdentifier, _ handle: SessionHandle) {
    let spread = identifier.spread
    mailboxes[home(spread)].state.withLock { $0.directory.remove(handle.rawValue, spread) }
    mailbox(handle).state.withLock { $0.put(ShardMailbox.Entry(), handle.slot(shardBits)) }
  }

  // MARK: - What the manifest says

  /// Whether the application delegate chooses configurations.
  var asksConfiguration: Bool {
    get { configures.load(ordering: .relaxed) }
    set { configures.store(newValue, ordering: .relaxed) }
  }

  /// Logs and reports something that surprises people.
  func diagnose(_ diagnostic: Diagnostic, _ session: SessionIdentifier?) {
    events.diagnose(diagnostic, session)
  }

  /// What all scenes use.
  var sceneServices: SceneServices {
    SceneServices(
      rules: rules, writer: writer, states: states, events: events, deadlines: deadlines,
      wakes: wakes, tasks: sceneTasks, elapsed: pressure.elapsed)
  }

  // MARK: - What lanes wait for

  /// Lets a lane go on that waits for an answer.
  func releaseLane(_ handle: SessionHandle) {
    mailbox(handle).post(ShardItem(slot: Int32(handle.slot(shardBits)), work: .release))
  }

  /// Tells the shards of scenes whose time to restore their state is over, or to be captured.
  func postDeadlines() {
    deadlines.takeDue { deadline in
      let slot = Int32(deadline.session.slot(shardBits))
      let work: ShardItem.Work =
        switch deadline.purpose {
        case .restoration: .expire(deadline.owner)
        case .capture(let mark): .capture(deadline.owner, markedAt: mark)
        }
      mailbox(deadline.session).post(ShardItem(slot: slot, work: work))
    }
  }

  // MARK: - The end of a session

  /// Takes the last step of a discard, after everybody was told (R-DST-3).
  func finish(_ discard: Discard) {
    let handle = discard.handle
    erase(discard.session.persistentIdentifier, handle)
    wakes.set(handle, nil)
    writer.write(.remove, of: discard.session.persistentIdentifier)
    free(handle)
    events.report(discard.session.persistentIdentifier, .discarded(discard.reason))
    if let replacement = discard.plan.cargo?.replacement {
      admit(replacement)
    } else {
      discard.plan.succeed(discard.session)
    }
  }

  /// Gives a session's slot back.
  func free(_ handle: SessionHandle) {
    gate.withLock { $0.ledger.free(handle) }
  }
}
