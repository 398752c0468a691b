// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

/// A session whose end is decided is open until its scene has gone, by every look-up, and takes
/// nothing more.
@Suite(.timeLimit(.minutes(10))) struct EndingSessionTests {
  private static let one = SessionIdentifier.number(1)

  /// Notes in the log what all look-ups say of the own session.
  private static func looking(_ log: CallLog) -> @Sendable (isolated Scene) -> Void {
    { scene in
      let own = scene.persistentIdentifier
      let isOwn = scene.application.scene(for: own) === scene
      log.append(scene.application.sight(of: own) + (isOwn ? "" : ", of another"))
    }
  }

  /// One that tells what all look-ups say of sessions that are discarded.
  private static func told(_ log: CallLog) -> ApplicationScript {
    ApplicationScript(onDiscard: { application, sessions in
      log.append(sessions.map { application.sight(of: $0.id) }.joined(separator: ", "))
    })
  }

  private static func script(
    _ log: CallLog, _ callbacks: [String], willConnect: (@Sendable (isolated Scene) -> Void)? = nil
  ) -> Script {
    let look = looking(log)
    var script = Script(uniqueKeysWithValues: callbacks.map { ("S1.\($0)", look) })
    script["S1.willConnect"] = willConnect
    return script
  }

  // MARK: - In callbacks

  enum End: CaseIterable {
    case request, close, dismissal, disconnection

    /// What is set in the scene for it.
    var conditions: Set<Scene.DestructionCondition> {
      switch self {
      case .request, .close: []
      case .dismissal: [.userInitiatedDismissal]
      case .disconnection: [.systemDisconnection]
      }
    }

    func submit(to application: Application) {
      application.host.submit(.background(one))
      switch self {
      case .request: application.submit(.destroy(one))
      case .close: application.host.submit(.close(one))
      case .dismissal: break
      case .disconnection: application.host.submit(.disconnect(one))
      }
    }
  }

  @Test(arguments: End.allCases)
  func `its callbacks find it by every look-up, and its discard by none`(end: End) async throws {
    let log = CallLog()
    let held = HeldExecutor()
    let script = Self.script(
      log, ["willResignActive", "didEnterBackground", "capture", "didDisconnect"]
    ) { $0.destructionConditions = end.conditions }
    let stage = Stage(log: log, script, delegate: Self.told(log)) { $0.useOneShard(on: held) }
    try await stage.play { application in
      let session = try await application.host.newSession()
      await application.settle()
      _ = log.take()
      held.hold()
      end.submit(to: application)
      #expect(application.sight(of: session.id) == "open, with a scene")
      #expect(
        await SceneError.code { () throws(SceneError) in
          try application.send("hello", to: session.id)
        } == .sessionNotOpen)
      held.letGo()
      await application.settle()
      var callbacks = ["S1.willResignActive A", "S1.didDisconnect U"]
      if end != .dismissal {
        callbacks.insert(contentsOf: ["S1.didEnterBackground B", "S1.capture B"], at: 1)
      }
      #expect(
        log.take()
          == callbacks.flatMap { [$0, "open, with a scene"] } + ["app.didDiscard(S1)", "not open"])
      #expect(application.sight(of: session.id) == "not open")
    }
  }

  /// Of many shards the one whose directory has an identifier is hardly ever its session's.
  @Test func `it is found where its group has chosen the shard`() async throws {
    let log = CallLog()
    let look = Self.looking(log)
    let numbers = 1...20
    let stage = Stage(
      log: log, Script(uniqueKeysWithValues: numbers.map { ("S\($0).didDisconnect", look) }),
      delegate: Self.told(log)
    ) { $0.shards = 64 }
    try await stage.play { application in
      for number in numbers {
        try await application.host.newSession(group: SceneGroup(rawValue: "\(number % 3)"))
      }
      _ = log.take()
      for number in numbers {
        try await application.host.perform(.close(SessionIdentifier.number(UInt64(number))))
        #expect(
          log.take() == [
            "S\(number).willResignActive A", "S\(number).didDisconnect U", "open, with a scene",
            "app.didDiscard(S\(number))", "not open",
          ])
      }
    }
  }

  /// Three identifiers with one hash, so that a look-up has to tell their sessions from each other.
  @Test func `it is told from others that have the hash of its identifier`() async throws {
    let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
    let identifiers = (1...3 as ClosedRange<UInt64>).map {
      SessionIdentifier(high: 5 ^ $0 &* factor, low: $0)
    }
    try #require(Set(identifiers.map(\.spread)).count == 1)
    let numbers = Leased(identifiers)
    let log = CallLog()
    let note: @Sendable (isolated Scene) -> Void = { scene in
      log.append(identifiers.map { scene.application.sight(of: $0) }.joined(separator: " | "))
    }
    let stage = Stage(
      log: log, Script(uniqueKeysWithValues: (1...3).map { ("S\($0).didDisconnect", note) })
    ) {
      $0.identifiers = SessionIdentifierSource { numbers.next() }
      $0.shards = 64
    }
    try await stage.play { application in
      for group in ["a", "b", "c"] as [SceneGroup] {
        try await application.host.newSession(group: group)
      }
      var sights = Array(repeating: "open, with a scene", count: 3)
      for (index, session) in [1, 0, 2].map({ ($0, identifiers[$0]) }) {
        _ = log.take()
        try await application.host.perform(.close(session))
        #expect(log.take().last == sights.joined(separator: " | "))
        sights[index] = "not open"
        #expect(identifiers.map { application.sight(of: $0) } == sights)
      }
    }
  }

  // MARK: - While it waits

  /// One archived session whose scene extends its restoration, and that is to end before that.
  private static func restoring(
    _ log: CallLog = CallLog(), clock: ManualClock = ManualClock(),
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    let script = script(log, ["willResignActive", "didDisconnect"]) { $0.extendStateRestoration() }
    return Stage(
      log: log, script, store: InMemorySessionStore([.number(1), .number(2)]), delegate: told(log)
    ) {
      $0.clock = clock
      change(&$0)
    }
  }

  private static func beginEnd(_ application: Application) async {
    application.host.submit(.open(one))
    await application.settle()
    application.host.submit(.close(one))
    await application.settle()
  }

  @Test func `a restoration is completed from outside, and the end follows`() async throws {
    let stage = Self.restoring()
    try await stage.play { application in
      await Self.beginEnd(application)
      #expect(stage.log.take().last == "S1.willConnect U")
      #expect(application.sight(of: Self.one) == "open, with a scene")
      await application.scene(for: Self.one)?.completeStateRestoration()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willEnterForeground B", "S1.didBecomeActive A", "S1.willResignActive A",
          "open, with a scene", "S1.didDisconnect U", "open, with a scene", "app.didDiscard(S1)",
          "not open",
        ])
      #expect(application.sight(of: Self.one) == "not open")
    }
  }

  @Test func `a restoration that takes too long lets the end follow`() async throws {
    let clock = ManualClock()
    let stage = Self.restoring(clock: clock) { $0.restorationLimit = .seconds(5) }
    try await stage.play { application in
      await Self.beginEnd(application)
      _ = stage.log.take()
      clock.advance(by: .seconds(5))
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.didDisconnect U", "open, with a scene", "app.didDiscard(S1)", "not open",
        ])
    }
  }

  @Test func `requests and messages for it are refused, and refreshes are left out`() async throws {
    let stage = Self.restoring()
    try await stage.play { application in
      await Self.beginEnd(application)
      _ = stage.log.take()
      for (name, request) in Self.requests {
        let code = await SceneError.code { () throws(SceneError) in try await request(application) }
        #expect(code == .sessionNotOpen, "\(name)")
      }
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(application.session(Self.one)?.hasPendingRefresh == false)
      #expect(try application.route("a").session == SessionIdentifier.number(2))
      #expect(stage.log.take() == [])
      #expect(application.sight(of: Self.one) == "open, with a scene")
    }
  }

  private typealias Request = @Sendable (Application) async throws(SceneError) -> Void

  private static let requests: [(String, Request)] = [
    ("open", { app throws(SceneError) in try await app.host.perform(.open(one)) }),
    ("close", { app throws(SceneError) in try await app.host.perform(.close(one)) }),
    ("background", { app throws(SceneError) in try await app.host.perform(.background(one)) }),
    ("interrupt", { app throws(SceneError) in try await app.host.perform(.interrupt(one)) }),
    ("resume", { app throws(SceneError) in try await app.host.perform(.resume(one)) }),
    ("disconnect", { app throws(SceneError) in try await app.host.perform(.disconnect(one)) }),
    ("connect", { app throws(SceneError) in try await app.host.perform(.connect(one)) }),
    (
      "activate",
      { app throws(SceneError) in try await app.activateSceneSession(for: .init(session: one)) }
    ),
    ("destroy", { app throws(SceneError) in try await app.requestSceneSessionDestruction(one) }),
    ("update", { app throws(SceneError) in try await app.updateSession(one) { $0.title = "new" } }),
    ("drop the state", { app throws(SceneError) in try await app.dropSavedState(of: one) }),
    ("send", { app throws(SceneError) in try app.send("hello", to: one) }),
    (
      "send with room",
      { app throws(SceneError) in try await app.sendWithBackpressure("a", to: one) }
    ),
    ("send durably", { app throws(SceneError) in try await app.sendDurably("hello", to: one) }),
    ("call", { app throws(SceneError) in _ = try await app.call("hello", to: one) }),
  ]

  @Test func `one that nothing can show is open until it is discarded`() async throws {
    let log = CallLog()
    let held = HeldExecutor()
    let gone = StoredSession(persistentIdentifier: Self.one, configurationName: "Gone")
    let stage = Stage(
      log: log, store: InMemorySessionStore([gone]), delegate: Self.told(log)
    ) {
      $0.identifiers = .counted(from: 10)
      $0.useOneShard(on: held)
    }
    try await stage.play { application in
      await application.settle()
      _ = log.take()
      held.hold()
      application.host.submit(.open(Self.one))
      #expect(application.sight(of: Self.one) == "open")
      held.letGo()
      await application.settle()
      #expect(log.take().prefix(2) == ["app.didDiscard(S1)", "not open"])
    }
  }

  // MARK: - Counts

  /// What is counted of the sessions and of the states of their scenes, both ways.
  private static func counts(_ application: Application) -> [String] {
    var seen = SceneCensus()
    var walk = SessionWalk()
    walk.visit(application, atMost: 1_000) { _, state in
      switch state {
      case .foregroundActive: seen.active += 1
      case .foregroundInactive: seen.inactive += 1
      case .background: seen.background += 1
      case .unattached: seen.disconnected += 1
      }
      return true
    }
    let census = application.census
    let open = application.openSessions
    let count = open.reduce(0) { count, _ in count + 1 }
    return [
      "\(seen.background) in the background, \(seen.disconnected) without",
      census == seen ? "the census has them" : "the census has \(census)",
      open.count == count && open.isEmpty == (count == 0)
        ? "so has openSessions" : "openSessions counts \(open.count) of \(count)",
    ]
  }

  @Test func `sessions that are open are counted, and no others`() async throws {
    let held = HeldExecutor()
    let stage = Self.restoring {
      $0.identifiers = .counted(from: 10)
      $0.useOneShard(on: held)
    }
    let agreed = ["the census has them", "so has openSessions"]
    try await stage.play { application in
      await Self.beginEnd(application)
      #expect(Self.counts(application) == ["1 in the background, 1 without"] + agreed)
      await application.scene(for: Self.one)?.completeStateRestoration()
      await application.settle()
      #expect(Self.counts(application) == ["0 in the background, 1 without"] + agreed)
      held.hold()
      application.host.submit(.newSession())
      #expect(Self.counts(application) == ["0 in the background, 1 without"] + agreed)
      held.letGo()
    }
  }

  // MARK: - Identifiers

  /// A source that repeats itself is asked again: what is written of the old session would hit the
  /// new one.
  @Test(arguments: ["while its end waits", "while the delegate is told"])
  func `its identifier is in use until its discard was told`(moment: String) async throws {
    let held = HeldExecutor()
    let numbers = Leased<SessionIdentifier>([.number(1), .number(1), .number(2)])
    let store = InMemorySessionStore()
    let isLate = moment != "while its end waits"
    let script = ApplicationScript(onDiscard: { application, _ in
      if isLate { application.host.submit(.newSession()) }
    })
    let stage = Stage(store: store, delegate: script) {
      $0.identifiers = SessionIdentifierSource { numbers.next() }
      $0.useOneShard(on: held)
    }
    try await stage.play { application in
      try await application.host.newSession()
      await application.settle()
      held.hold()
      application.host.submit(.close(Self.one))
      if !isLate { application.host.submit(.newSession()) }
      held.letGo()
      await application.settle()
      #expect(application.openSessions.map(\.id.label) == ["S2"])
      #expect(store.sessions.map(\.persistentIdentifier.label) == ["S2"])
    }
  }
}
