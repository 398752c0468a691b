// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// What simulated worlds have found, each in its smallest form.
@Suite(.timeLimit(.minutes(10))) struct SimulationFindingTests {
  private static let one = SessionIdentifier.numbered(1)

  /// Runs a body with some seeds: what is looked for needs one order among several.
  private func simulate(
    seeds: ClosedRange<UInt64> = 1...40,
    _ body: @escaping @Sendable (SeededExecutor) async throws -> Void
  ) throws {
    for seed in seeds {
      let executor = SeededExecutor(seed: seed)
      try executor.run(steps: 100_000) { try await body(executor) }
    }
  }

  private static func settings(_ executor: SeededExecutor) -> ApplicationSettings {
    var settings = ApplicationSettings.counted
    settings.taskExecutor = executor
    settings.clock = executor.clock
    settings.shards = 1
    settings.commitInterval = .zero
    return settings
  }

  /// Runs an application until a body is through, then ends it in order.
  private static func play(
    _ application: Application, _ body: @Sendable (Application) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      // Runs until the body is through, and is cancelled then.
      group.addTask { try await application.run() }
      await application.process.launched()
      try await body(application)
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  /// Says yes so many times.
  private final class Countdown: Sendable {
    private let left: Guarded<Int>

    init(_ count: Int) {
      left = Guarded(count)
    }

    func next() -> Bool {
      left.withLock { left in
        left -= 1
        return left >= 0
      }
    }
  }

  /// A delegate that extends its restoration, as often as it is told.
  private final class Hesitant: SceneDelegate {
    let log: CallLog
    let extensions: Countdown

    init(_ log: CallLog, _ extensions: Countdown) {
      self.log = log
      self.extensions = extensions
    }

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      log.append("connect")
      if extensions.next() { scene.extendStateRestoration() }
    }

    func sceneWillEnterForeground(_ scene: isolated Scene) { log.append("willEnterForeground") }
  }

  @Test func `a task that awaits the launch of an application that is killed goes on`()
    throws
  {
    try simulate { executor in
      let application = Application(
        manifest: [SceneConfiguration("Main") { ScriptedDelegate(CallLog()) }],
        settings: Self.settings(executor))
      await withTaskGroup { group in
        // Waits while the application is killed.
        group.addTask { await application.process.launched() }
        for _ in 0..<3 { await Task.yield() }
        application.process.abandon()
      }
    }
  }

  @Test func `what a session is given before its scene connects is there for it, and kept`()
    throws
  {
    try simulate { executor in
      var faults = SimulatedSessionStore.Faults()
      faults.commitTime = .milliseconds(1) ... .milliseconds(20)
      let store = SimulatedSessionStore(seed: 1, clock: executor.clock, faults: faults)
      let seen = Guarded<UserInfoValue?>(nil)
      let script: Script = [
        "S1.willConnect": { scene in
          let value = scene.userInfo?["key"]
          seen.withLock { $0 = value }
        }
      ]
      let log = CallLog()
      let application = Application(
        manifest: [SceneConfiguration("Main") { ScriptedDelegate(log, script) }], store: store,
        settings: Self.settings(executor), log: .silent
      ) {
        ApplicationScript(choose: { _, session, _ in session.configuration }).makeDelegate(log)
      }
      try await Self.play(application) { application in
        application.host.submit(.newSession())
        let isGiven = Guarded(false)
        application.process.submitUpdate(of: Self.one) { session in
          isGiven.withLock { $0 = true }
          session.userInfo = ["key": .integer(7)]
        }
        try await executor.clock.sleep(for: .milliseconds(100))
        #expect(isGiven.withLock { $0 })
        try await application.host.perform(.background(Self.one))
        try await application.host.perform(.disconnect(Self.one))
        #expect(try await application.savedState(of: Self.one).userInfo?["key"] == .integer(7))
        try await executor.clock.sleep(for: .milliseconds(100))
        try await application.host.perform(.open(Self.one))
        #expect(seen.withLock { $0 } == .integer(7))
      }
      #expect(store.sessions.first?.userInfo?["key"] == .integer(7))
    }
  }

  @Test func `what could not be sealed stays in memory when something else is changed`() throws {
    try simulate { executor in
      let store = SimulatedSessionStore(seed: 1, clock: executor.clock)
      let script: Script = ["S1.willConnect": { $0.userInfo = ["key": .integer(7)] }]
      let application = Application(
        manifest: [SceneConfiguration("Main") { ScriptedDelegate(CallLog(), script) }],
        store: store, settings: Self.settings(executor), log: .silent)
      try await Self.play(application) { application in
        store.setKey(isAvailable: false)
        try await application.host.newSession()
        try await application.host.perform(.background(Self.one))
        try await application.host.perform(.disconnect(Self.one))
        try await application.updateSession(Self.one) { $0.title = "title" }
        try await executor.clock.sleep(for: .milliseconds(100))
        #expect(application.session(Self.one)?.userInfo?["key"] == .integer(7))
        store.setKey(isAvailable: true)
      }
    }
  }

  @Test func `a restoration that the end cuts off brings no scene to the foreground`() throws {
    let log = CallLog()
    try simulate { executor in
      let application = Application(
        manifest: [SceneConfiguration("Main") { Hesitant(log, Countdown(.max)) }],
        settings: Self.settings(executor), log: .silent)
      try await Self.play(application) { application in
        application.host.submit(.newSession())
        application.submit(
          .activate(SceneSessionActivationRequest(session: Self.one, userActivity: .numbered(1))))
        await application.settle()
      }
    }
    #expect(!log.take().contains("willEnterForeground"))
  }

  @Test(arguments: [false, true])
  func `a session whose restoration took too long twice is not brought forward`(
    sendsMessage: Bool
  ) throws {
    try simulate { executor in
      var settings = Self.settings(executor)
      settings.restorationLimit = .seconds(1)
      let extensions = Countdown(2)
      let application = Application(
        manifest: [SceneConfiguration("Main") { Hesitant(CallLog(), extensions) }],
        settings: settings,
        log: .silent)
      try await Self.play(application) { application in
        application.host.submit(.newSession())
        await application.settle()
        application.submit(
          .activate(SceneSessionActivationRequest(session: Self.one, userActivity: .numbered(1))))
        await application.settle()
        executor.clock.advance(by: .seconds(2))
        await application.settle()
        if sendsMessage { try application.send("message", to: Self.one) }
        executor.clock.advance(by: .seconds(2))
        await application.settle()
        // A message gets a scene in the background.
        let state = application.scene(for: Self.one)?.activationState
        #expect(state == (sendsMessage ? .background : nil))
      }
      #expect(application.connectedSceneCount == 0)
    }
  }

  @Test func `a sender that waits for room lets others work`() throws {
    try simulate(seeds: 1...5) { executor in
      var settings = Self.settings(executor)
      settings.eventLimit = 1
      settings.restorationLimit = .seconds(1)
      let extensions = Countdown(1)
      let application = Application(
        manifest: [SceneConfiguration("Main") { Hesitant(CallLog(), extensions) }],
        settings: settings, log: .silent)
      try await Self.play(application) { application in
        application.host.submit(.newSession())
        await application.settle()
        // The first waits in the lane of an extended restoration, and takes all room.
        let steps = executor.steps
        for _ in 0..<3 { try await application.sendWithBackpressure("message", to: Self.one) }
        #expect(executor.steps - steps < 200)
      }
    }
  }

  @Test func `a message is not durable whose effect a withheld state keeps from being captured`()
    async throws
  {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Stage(store: store)
    stage.application.host.lock()
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try await application.sendDurably("note", to: Self.one)
      }
      #expect(code == .notDurable)
      await application.host.unlock()
      try await application.sendDurably("note", to: Self.one)
    }
  }

  @Test func `what a scene leaves next to a withheld state does not take its place`() throws {
    try simulate(seeds: 1...1) { executor in
      let store = SimulatedSessionStore(seed: 1, clock: executor.clock)
      let isLocked = Guarded(false)
      let script: Script = [
        "S1.didEnterBackground": { scene in
          if isLocked.withLock({ $0 }) { scene.userInfo = ["key": .integer(7)] }
        }
      ]
      func application() -> Application {
        Application(
          manifest: [SceneConfiguration("Main") { ScriptedDelegate(CallLog(), script) }],
          store: store, settings: Self.settings(executor), log: .silent)
      }
      try await Self.play(application()) { application in
        try await application.host.newSession()
        try await application.host.perform(.background(Self.one))
        try await application.host.perform(.disconnect(Self.one))
        try await application.updateSession(Self.one) {
          $0.stateRestorationActivity = .titled("draft")
        }
      }
      store.setKey(isAvailable: false)
      isLocked.withLock { $0 = true }
      let locked = application()
      locked.host.lock()
      try await Self.play(locked) { application in
        try await application.host.perform(.open(Self.one))
        try await application.host.perform(.background(Self.one))
        // It is said to be there, and is not.
        await application.host.unlock()
        try await application.host.perform(.disconnect(Self.one))
        store.setKey(isAvailable: true)
        let state = try await application.savedState(of: Self.one)
        #expect(state.activity?.title == "draft")
        #expect(state.userInfo?["key"] == .integer(7))
        try await application.host.perform(.open(Self.one))
        #expect(store.sessions.first?.stateRestorationActivity?.title == "draft")
        #expect(store.sessions.first?.userInfo?["key"] == .integer(7))
      }
    }
  }

  @Test func `a state that was dropped without a key is gone for good`() throws {
    try simulate(seeds: 1...1) { executor in
      let store = SimulatedSessionStore(seed: 1, clock: executor.clock)
      let connections = Guarded(0)
      let script: Script = [
        "S1.willConnect": { scene in
          let number = connections.withLock { count in
            count += 1
            return count
          }
          // The second time it takes too long, and the key goes in between.
          guard number == 2 else { return }
          scene.extendStateRestoration()
          store.setKey(isAvailable: false)
        }
      ]
      var settings = Self.settings(executor)
      settings.restorationLimit = .milliseconds(10)
      let application = Application(
        manifest: [SceneConfiguration("Main") { ScriptedDelegate(CallLog(), script) }],
        store: store, settings: settings, log: .silent)
      try await Self.play(application) { application in
        try await application.host.newSession()
        try await application.host.perform(.background(Self.one))
        try await application.host.perform(.disconnect(Self.one))
        try await application.updateSession(Self.one) {
          $0.stateRestorationActivity = .titled("draft")
        }
        let code = await SceneError.code { () throws(SceneError) in
          try await application.host.perform(.open(Self.one))
        }
        #expect(code == .restorationTimedOut)
        store.setKey(isAvailable: true)
        try await application.host.perform(.open(Self.one))
        try await executor.clock.sleep(for: .milliseconds(100))
        #expect(store.sessions.first?.stateRestorationActivity == nil)
      }
    }
  }

  @Test(arguments: [false, true])
  func `a use is kept with its message, however late the session is looked at`(isCall: Bool) throws
  {
    try simulate { executor in
      var stored = StoredSession.number(1)
      stored.lastUsed = 0
      let store = InMemorySessionStore([stored])
      var settings = Self.settings(executor)
      settings.clientRules.expiry = .seconds(16)
      let application = Application(
        manifest: [SceneConfiguration("Main") { ScriptedDelegate(CallLog()) }], store: store,
        settings: settings, log: .silent)
      try await Self.play(application) { application in
        for seconds in [5, 10, 15] {
          executor.clock.advance(by: .seconds(5))
          if isCall {
            _ = try await application.call("x", to: Self.one)
          } else {
            try await application.sendDurably("x", to: Self.one)
          }
          let lastUsed = try #require(store.sessions.first?.lastUsed)
          // An eighth of the time may be missing.
          #expect(lastUsed >= (seconds - 2) * 1_000)
        }
      }
    }
  }

  @Test func `as many refreshes wait for the host as requests may be unfinished`() async throws {
    let stage = Stage(store: InMemorySessionStore((1...5).map { .number($0) })) { settings in
      settings.fulfilsRefreshesByHost = true
      settings.requestLimit = 4
    }
    try await stage.play { application in
      let refused = CallLog()
      for number in 1...5 {
        application.submit(
          .refresh(.numbered(number)), onFailure: { refused.append("\(number): \($0.code)") })
      }
      #expect(refused.take() == ["5: systemBusy"])
      // One more of the same session is the same.
      application.submit(.refresh(.numbered(4)), onFailure: { refused.append("\($0.code)") })
      #expect(refused.take() == [])
      try await application.host.perform(.fulfilRefreshes)
    }
  }
}
