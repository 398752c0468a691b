// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// What ends a session, apart from a request (R-DC-1).
@Suite(.timeLimit(.minutes(10))) struct DestructionConditionTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  private static func ends(by condition: Scene.DestructionCondition) -> Script {
    ["S1.willConnect": { $0.destructionConditions = [condition] }]
  }

  /// Two sessions, of which the first one's scene sets a condition.
  private static func stage(
    _ condition: Scene.DestructionCondition, log: CallLog = CallLog(),
    store: InMemorySessionStore = InMemorySessionStore([.number(1), .number(2)]),
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage(log: log, ends(by: condition), store: store, delegate: ApplicationScript()) {
      $0.shards = 1
      change(&$0)
    }
  }

  private static func reasons(_ events: AsyncStream<LifecycleEvent>) async -> [String] {
    await events.lines.filter { $0.contains("disconnected") || $0.contains("discarded") }
  }

  @Test func `by default nothing ends a session`() async throws {
    let store = InMemorySessionStore([.number(1)])
    let stage = Stage(store: store, delegate: ApplicationScript())
    try await stage.play { application in
      #expect(application.session(Self.one)?.destructionConditions == [])
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.backgroundAll)
      try await application.host.relievePressure(count: 1)
    }
    #expect(store.sessions.map(\.destructionConditions) == [[]])
  }

  // MARK: - The user dismisses the scene

  @Test(arguments: ["background", "home"])
  func `a dismissal ends the session`(way: String) async throws {
    let store = InMemorySessionStore([.number(1), .number(2)])
    let stage = Self.stage(.userInitiatedDismissal, store: store)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      try await application.host.perform(.open(Self.two))
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      switch way {
      case "home": try await application.host.perform(.backgroundAll)
      default: try await application.host.perform(.background(Self.one))
      }
      // Like any other end: no background entry, no capture.
      #expect(
        stage.log.take().filter { !$0.hasPrefix("S2") } == [
          "S1.willResignActive A", "S1.didDisconnect U", "app.didDiscard(S1)",
        ])
      #expect(application.openSessions.map(\.id.label) == ["S2"])
      #expect(store.sessions.map(\.persistentIdentifier.label) == ["S2"])
    }
    #expect(
      await Self.reasons(events).prefix(2) == [
        "S1 disconnected: destructionCondition", "S1 discarded: destructionCondition",
      ])
  }

  @Test func `an interrupted scene can be dismissed too`() async throws {
    let stage = Self.stage(.userInitiatedDismissal)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.interrupt(Self.one))
      try await application.host.perform(.background(Self.one))
      #expect(stage.log.take().suffix(2) == ["S1.didDisconnect U", "app.didDiscard(S1)"])
    }
  }

  @Test func `who gives way to another is not dismissed`() async throws {
    let stage = Self.stage(.userInitiatedDismissal) { $0.foregroundCapacity = 1 }
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.open(Self.two))
      #expect(stage.log.take().suffix(2) == ["S1.didEnterBackground B", "S1.capture B"])
      // It is not in the foreground any more, so that no user can dismiss it.
      try await application.host.perform(.background(Self.one))
      try await application.host.perform(.backgroundAll)
      try await application.host.perform(.disconnect(Self.one))
      #expect(stage.log.take().last == "S1.didDisconnect U")
      #expect(application.openSessions.count == 2)
    }
  }

  @Test func `the end of the application dismisses no session`() async throws {
    let store = InMemorySessionStore([.number(1)])
    let stage = Self.stage(.userInitiatedDismissal, store: store)
    try await stage.play { try await $0.host.perform(.open(Self.one)) }
    #expect(stage.log.take().suffix(2) == ["S1.didDisconnect U", "app.willTerminate"])
    #expect(store.sessions.map(\.destructionConditions) == [[.userInitiatedDismissal]])
  }

  // MARK: - The system disconnects the scene

  @Test(arguments: ["disconnect", "pressure"])
  func `a disconnect ends the session`(way: String) async throws {
    let store = InMemorySessionStore([.number(1), .number(2)])
    let stage = Self.stage(.systemDisconnection, store: store)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.background(Self.one))
      #expect(stage.log.take().last == "S1.capture B")
      switch way {
      case "pressure":
        #expect(try await application.host.relievePressure(count: 1) == [Self.one])
      default: try await application.host.perform(.disconnect(Self.one))
      }
      #expect(stage.log.take() == ["S1.didDisconnect U", "app.didDiscard(S1)"])
      #expect(store.sessions.map(\.persistentIdentifier.label) == ["S2"])
    }
    #expect(
      await Self.reasons(events) == [
        "S1 disconnected: destructionCondition", "S1 discarded: destructionCondition",
      ])
  }

  @Test func `the end of the application ends it, before the delegate is told of the end`()
    async throws
  {
    let store = InMemorySessionStore([.number(1), .number(2)])
    let stage = Self.stage(.systemDisconnection, store: store)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.connect(Self.two))
      _ = stage.log.take()
    }
    #expect(
      stage.log.take() == [
        "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B", "S1.didDisconnect U",
        "S2.didDisconnect U", "app.didDiscard(S1)", "app.willTerminate",
      ])
    #expect(
      await Self.reasons(events) == [
        "S1 disconnected: destructionCondition", "S2 disconnected: termination",
        "S1 discarded: destructionCondition",
      ])
    #expect(store.sessions.map(\.persistentIdentifier.label) == ["S2"])
  }

  @Test func `a process that was killed tells the next one, with what was discarded in between`()
    async throws
  {
    let store = InMemorySessionStore([.number(1), .number(2), .number(3)])
    let killed = Self.stage(.systemDisconnection, store: store)
    try await killed.play { application in
      try await application.host.perform(.open(Self.one))
      application.process.abandon()
    }
    #expect(killed.log.take().last == "S1.didBecomeActive A")
    store.discardWhileNotRunning(Self.two)
    let stage = Self.stage(.systemDisconnection, store: store) { $0.launch = .connectAll }
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take() == [
          "app.willFinishLaunching", "app.didFinishLaunching", "app.didDiscard(S1, S2)",
          "S3.willConnect U",
        ])
      #expect(application.openSessions.map(\.id.label) == ["S3"])
    }
    #expect(
      await Self.reasons(events).prefix(2) == [
        "S1 discarded: destructionCondition", "S2 discarded: whileNotRunning",
      ])
    #expect(store.sessions.map(\.persistentIdentifier.label) == ["S3"])
  }

  @Test func `a delegate that is not there is not told, and the session goes all the same`()
    async throws
  {
    let kept = StoredSession(
      persistentIdentifier: Self.one, configurationName: "Main",
      destructionConditions: [.systemDisconnection])
    let store = InMemorySessionStore([kept, .number(2)])
    try await Stage(store: store).play { application in
      #expect(application.openSessions.map(\.id.label) == ["S2"])
      let code = await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(Self.one))
      }
      #expect(code == .sessionNotOpen)
    }
    #expect(store.sessions.map(\.persistentIdentifier.label) == ["S2"])
  }

  // MARK: - What is set

  @Test func `conditions are kept, and can be taken back`() async throws {
    let store = InMemorySessionStore()
    let both: Set<Scene.DestructionCondition> = [.userInitiatedDismissal, .systemDisconnection]
    let stage = Stage(
      [
        "S1.willConnect": { $0.destructionConditions = both },
        "S1.didReceive": { $0.destructionConditions = [] },
      ], store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      #expect(session.destructionConditions == both)
      #expect(store.sessions.map(\.destructionConditions) == [both])
      try application.send("stay", to: session.id)
      await application.settle()
      #expect(store.sessions.map(\.destructionConditions) == [[]])
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      #expect(Array(application.openSessions) == [session])
    }
  }
}
