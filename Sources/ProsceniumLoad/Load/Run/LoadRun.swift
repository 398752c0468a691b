// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation

/// One load test while it runs.
struct LoadRun {
  let test: LoadTest
  let store: LoadStore
  let audit: LoadAudit
  let injector: FaultInjector
  let vacancies = LoadVacancies()
  let sentCount = GuardedCell(0)
  var senders: [LoadSender]
  var samples: [LoadSample] = []
  /// What the allocator had before the first session.
  let emptyMemory: MemoryReading?
  /// When counting began.
  var start: ContinuousClock.Instant

  var scenario: LoadScenario { test.scenario }

  init(_ test: LoadTest, _ store: LoadStore) {
    self.test = test
    self.store = store
    audit = LoadAudit(clock: test.clock)
    start = test.clock.now
    emptyMemory = test.meter.memory()
    var plan = test.scenario.faults
    plan.seed = test.scenario.seed
    injector = FaultInjector(plan, clock: test.clock)
    let count =
      switch test.scenario.pace {
      // As many as there are processors, as a rule, so that the load does not wait for itself.
      case .open: min(2, test.scenario.sessions)
      case .closed(let users): users
      }
    senders = (0..<count).map { LoadSender($0, of: count, test.scenario) }
  }

  /// Runs the scenario, and verifies what it did.
  mutating func run() async throws -> LoadSummary {
    let tenants = try await firstLife()
    if scenario.turn == .restart { try await secondLife(tenants) }
    var summary = LoadSummary(self)
    if store.isDurable {
      test.show(.step(.verifying(0, tenants.count)))
      try await store.closeFile()
      try await living { run, application in
        try await run.verify(tenants, application, .differsOnDisk)
      }
    }
    summary.violations = audit.broken.sentences
    summary.generatorTime = await LoadRehearsal(scenario: scenario, clock: test.clock).run()
    return summary
  }

  private mutating func firstLife() async throws -> LoadTenants {
    try await living { run, application in
      let tenants = LoadTenants(try await run.open(application))
      try await run.warmUp(tenants, application)
      let hasTurn = run.scenario.turn != .none
      try await run.drive(tenants, application, through: hasTurn ? 0.5 : 1)
      if run.scenario.turn == .squeeze {
        try await run.drive(tenants, application, through: 1) { try await $0.squeeze(application) }
      }
      if run.scenario.turn != .restart { try await run.verify(tenants, application, .differs) }
      return tenants
    }
  }

  /// Launches the application again, when all users come back at once.
  private mutating func secondLife(_ tenants: LoadTenants) async throws {
    try await store.closeFile()
    try await living { run, application in
      try await run.drive(tenants, application, through: 1) {
        try await $0.storm(tenants, application)
      }
      try await run.verify(tenants, application, .differs)
    }
  }

  // MARK: - The application

  /// Runs an application around a body, and ends it in order.
  private mutating func living<Success: Sendable>(
    _ body: @escaping @Sendable (inout LoadRun, Application) async throws -> Success
  ) async throws -> Success {
    let run = self
    let (lived, result) = try await Application.withRunning(
      manifest: [SceneConfiguration("Load") { [audit] in LoadDelegate(audit) }],
      store: try openStore(), settings: settings,
      log: Logger(label: "load") { _ in SwiftLogNoOpLogHandler() },
      delegate: { [audit] in LoadApplicationDelegate(audit) }
    ) { application in
      func live() async throws -> (LoadRun, Success) {
        var run = run
        let result = try await body(&run, application)
        return (run, result)
      }
      guard let companion = run.test.companion else { return try await live() }
      return try await withCompany {
        try await companion.accompany(application, $0)
      } _: {
        try await live()
      }
    }
    self = lived
    return result
  }

  private var settings: ApplicationSettings {
    var settings = ApplicationSettings()
    settings.shards = scenario.shards
    settings.durability = scenario.durability
    settings.disconnectionPolicy = policy(connected: scenario.connected)
    settings.observer = { [audit, vacancies, companion = test.companion] event in
      audit.see(event)
      companion?.see(event)
      vacancies.see(event)
    }
    // A companion may show everything.
    if test.companion == nil { settings.observedTopics = LoadAudit.topics }
    settings.metrics = test.metrics
    settings.makeFront = test.makeFront
    injector.install(in: &settings)
    return settings
  }

  /// Opens the store, with the faults of the scenario before it if there are any: otherwise each
  /// state that is read would ask the plan first.
  private func openStore() throws -> any SessionStore {
    let opened = try store.opened()
    return injector.plan.store == FaultPlan.Store() ? opened : injector.store(opened)
  }

  /// The policy that keeps to the limits of the scenario; nil if there are none.
  func policy(connected: Int?) -> DisconnectionPolicy? {
    guard connected != nil || scenario.memoryLimit != nil else { return nil }
    var policy = DisconnectionPolicy()
    policy.sceneLimit = connected
    policy.memoryLimit = scenario.memoryLimit
    policy.takesForeground = true
    let meter = test.meter
    if scenario.memoryLimit != nil {
      policy.memory = MemoryPressureSource { meter.memory()?.resident }
      policy.releaseMemory = { meter.releaseUnused() }
    }
    return policy
  }

  func seconds(since start: ContinuousClock.Instant) -> Double {
    start.duration(to: test.clock.now) / .seconds(1)
  }
}
