// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Logging
import Synchronization

/// What the application, its shards and its callers share.
final class ApplicationCore: Sendable {
  let settings: ApplicationSettings
  let directory: SessionDirectory
  let gate: Apart<Guarded<Admitter>>
  /// How far the application is: every request reads it without taking the gate.
  let stage = Atomic(Stage.new)
  /// Whether protected data is not available (R-SR-6): shards read it without taking the gate.
  let isLocked: Atomic<Bool>
  let router: ContentRouter
  let residual: ResidualReport
  let tally = Apart(ApplicationTally())
  let events: EventHub
  let writer: SnapshotWriter
  let states: StoredStates
  let applicationQueue = Inbox<ApplicationItem>()
  let log: Logger
  let deadlines: Deadlines
  let wakes: WakeSchedule
  /// The sessions that end if no one uses them, if there are any.
  let expiry: SessionExpiry?
  let sceneTasks: SceneTasks
  let pressure: PressureWatch
  let reconnectionBell = ReconnectionBell()
  /// Until when sessions may be served, if that has an end.
  let permit: ServingPermit?
  /// The lines of clients, if sessions come from other processes and go to them.
  let movingLines: MovingLines?
  /// What takes messages for sessions that other processes serve, if anything does.
  let neighbours: Neighbours?
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
    permit = settings.sliceDuties?.permit
    movingLines = permit.map { _ in MovingLines() }
    neighbours = settings.sliceDuties?.neighbours
    isLocked = Atomic(!settings.isProtectedDataAvailable)
    states = StoredStates(store, settings.stateMigrations)
    let directory = SessionDirectory(
      shardBits: settings.shardBits, catalog: ConfigurationCatalog(manifest), states: states,
      elsewhere: settings.sliceDuties?.elsewhere)
    self.directory = directory
    router = ContentRouter(
      rules: RoutingRules(
        supportsMultipleScenes: manifest.supportsMultipleScenes,
        sessionQuota: settings.sessionQuota),
      shardBits: directory.shardBits, observer: settings.sliceDuties?.neighbours?.noteTerm,
      identifier: directory.identifier)
    residual = ResidualReport(settings.metrics, limit: settings.residualPredicateLimit)
    deadlines = Deadlines(clock: settings.clock)
    let wallClock = settings.wallClock
    wakes = WakeSchedule(clock: settings.clock) { Wake.time(of: wallClock()) }
    sceneTasks = SceneTasks(executor: settings.taskExecutor)
    pressure = PressureWatch(
      settings.disconnectionPolicy, clock: settings.clock, metrics: settings.metrics)
    let budget = settings.callbackBudget.map {
      CallbackBudget(
        $0, clock: settings.clock, metrics: settings.metrics, shards: directory.mailboxes.count)
    }
    callbackBudget = budget
    rules = SceneRules(
      settings, declaredTypes: manifest.activityTypes.map(Set.init),
      hasApplicationDelegate: hasApplicationDelegate, budget: budget)
    events = EventHub(clock: settings.clock, observers: settings.observers, log: log)
    writer = SnapshotWriter(
      store, clock: settings.clock, interval: settings.commitInterval, metrics: settings.metrics,
      events: events, log: log)
    expiry = SessionExpiry(
      settings.clientRules, settings.clientRulesOfRoles, clock: settings.clock
    ) { [writer] in writer.now }
    gate = Apart(
      guarding: Admitter(
        AdmissionPorts(
          settings: settings, rules: rules, directory: directory, router: router, writer: writer,
          applicationQueue: applicationQueue, reconnectionBell: reconnectionBell)))
    self.log = log
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

  var catalog: ConfigurationCatalog { directory.catalog }

  /// Whether sessions may be served now.
  var mayServe: Bool { permit?.isValid ?? true }

  /// What the shards are to give together.
  var sharedPressure: SharedPressure {
    SharedPressure(mailboxes: directory.mailboxes, watch: pressure)
  }

  // MARK: - What lanes wait for

  /// Tells the shards of scenes whose time to restore their state is over, or to be captured.
  func postDeadlines() {
    deadlines.takeDue { deadline in
      let slot = Int32(deadline.session.slot(directory.shardBits))
      let work: ShardItem.Work =
        switch deadline.purpose {
        case .restoration: .expire(deadline.owner)
        case .capture(let mark): .capture(deadline.owner, markedAt: mark)
        case .absence(let absence): .absence(deadline.owner, absence)
        }
      directory.mailbox(deadline.session).post(ShardItem(slot: slot, work: work))
    }
  }

  // MARK: - The end of a session

  /// Takes the last step of a discard, after everybody was told (R-DST-3).
  func finish(_ discard: Discard) {
    let handle = discard.handle
    directory.erase(discard.session.persistentIdentifier, handle)
    wakes.set(handle, nil)
    expiry?.forget(handle)
    let session = discard.session.persistentIdentifier
    if discard.reason.isDeparture {
      // It stays in the store, and goes on elsewhere.
      free(handle)
      events.report(session, .left(discard.reason))
    } else {
      writer.write(.remove, of: session)
      free(handle)
      events.report(session, .discarded(discard.reason))
    }
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
