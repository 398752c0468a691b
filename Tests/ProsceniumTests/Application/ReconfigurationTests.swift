// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// A session of an earlier run is configured again, if the settings or a new revision of the
/// manifest want it (R-CON-1, R-CFG-6).
@Suite(.timeLimit(.minutes(10))) struct ReconfigurationTests {
  private static let one = SessionIdentifier.number(1)

  private static let other: ApplicationScript.Choice = { _, session, _ in
    SceneConfiguration(name: "Other", sessionRole: session.role)
  }

  private static func application(
    _ log: CallLog, _ store: InMemorySessionStore, revision: String? = nil,
    choose: ApplicationScript.Choice? = other,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Application {
    var settings = ApplicationSettings.counted
    settings.identifiers = .counted(from: 10)
    change(&settings)
    var manifest = SceneManifest([
      SceneConfiguration("Main") { ScriptedDelegate(log) },
      SceneConfiguration("Other") { ScriptedDelegate(log) },
      SceneConfiguration("Screen", role: .windowExternalDisplay) { ScriptedDelegate(log) },
    ])
    manifest.revision = revision
    return Application(manifest: manifest, store: store, settings: settings, log: .silent) {
      ApplicationScript(choose: choose).makeDelegate(log)
    }
  }

  private static func play(
    _ application: Application, _ body: @Sendable (Application) async throws -> Void
  ) async throws {
    try await application.whileRunning {
      await application.process.launched()
      try await body(application)
    }
  }

  private static func questions(_ log: CallLog) -> [String] {
    log.take().filter { $0.hasPrefix("app.configuration") }
  }

  // MARK: - Every way to a connection

  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var launch = ApplicationSettings.Launch.background
    var question = "app.configuration(S1)"
    var act: @Sendable (Application) async throws -> Void = { await $0.settle() }
  }

  static let ways = [
    Way(testDescription: "open", act: { try await $0.host.perform(.open(one)) }),
    Way(
      testDescription: "activation", question: "app.configuration(S1, letter)",
      act: {
        try await $0.activateSceneSession(for: .init(session: one, userActivity: .titled("letter")))
      }),
    Way(
      testDescription: "event", question: "app.configuration(S1, letter)",
      act: { try await $0.deliver(.activity(.titled("letter"))) }),
    Way(testDescription: "refresh", act: { try await $0.requestSceneSessionRefresh(one) }),
    Way(
      testDescription: "message",
      act: { application in
        try application.send("hello", to: one)
        await application.settle()
      }),
    Way(testDescription: "call", act: { _ = try await $0.call("hello", to: one) }),
    Way(testDescription: "connect", act: { try await $0.host.perform(.connect(one)) }),
    Way(testDescription: "launch that connects all", launch: .connectAll),
    Way(testDescription: "icon", launch: .icon),
    Way(
      testDescription: "launch for an event", launch: .event(.activity(.titled("letter"))),
      question: "app.configuration(S1, letter)"),
  ]

  @Test(arguments: ways)
  func `the delegate is asked once in a run, at the first connection`(way: Way) async throws {
    let log = CallLog()
    let store = InMemorySessionStore([.number(1)])
    for run in 1...2 {
      let application = Self.application(
        log, store,
        settings: {
          $0.asksConfigurationOnRestore = true
          $0.launch = way.launch
        })
      try await Self.play(application) { application in
        try await way.act(application)
        #expect(Self.questions(log) == [way.question], "run \(run)")
        try await application.host.perform(.background(Self.one))
        try await application.host.perform(.disconnect(Self.one))
        try await application.host.perform(.open(Self.one))
        #expect(Self.questions(log) == [])
        #expect(application.session(Self.one)?.configuration.name == "Other")
      }
      #expect(store.sessions.map(\.configurationName) == ["Other"])
    }
  }

  @Test(arguments: ways)
  func `a new revision of the manifest asks once for good`(way: Way) async throws {
    let log = CallLog()
    let store = InMemorySessionStore([.number(1)])
    for run in 1...2 {
      let application = Self.application(
        log, store, revision: "2", settings: { $0.launch = way.launch })
      try await Self.play(application) { application in
        try await way.act(application)
        #expect(Self.questions(log) == (run == 1 ? [way.question] : []))
      }
      #expect(store.sessions.map(\.configurationName) == ["Other"])
      #expect(store.sessions.map(\.manifestRevision) == ["2"])
    }
  }

  // MARK: - What is kept

  @Test func `the other fields of the session stay`() async throws {
    let log = CallLog()
    let store = InMemorySessionStore([
      StoredSession(
        persistentIdentifier: Self.one, configurationName: "Main", lastActivated: 7,
        group: "ann", userInfo: ["zoom": 2], title: "Letters")
    ])
    let application = Self.application(log, store, revision: "2")
    try await Self.play(application) { try await $0.host.perform(.connect(Self.one)) }
    let stored = try #require(store.sessions.first)
    #expect(stored.configurationName == "Other")
    #expect(stored.lastActivated == 7)
    #expect(stored.group == "ann")
    #expect(stored.userInfo == ["zoom": 2])
    #expect(stored.title == "Letters")
  }

  @Test func `another role is reported, and the session keeps what it had (R-CFG-4)`()
    async throws
  {
    let log = CallLog()
    let store = InMemorySessionStore([.number(1)])
    let application = Self.application(
      log, store,
      choose: { _, _, _ in SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay) },
      settings: { $0.asksConfigurationOnRestore = true })
    let events = application.lifecycleEvents()
    try await Self.play(application) { application in
      let session = try await application.activateSceneSession(for: .init(session: Self.one))
      #expect(session.configuration.name == "Main")
      #expect(log.take().last == "S1.didBecomeActive A")
    }
    #expect(await events.lines.filter { $0.contains("failed") } == ["S1 failed: roleMismatch"])
    #expect(store.sessions.map(\.configurationName) == ["Main"])
  }

  @Test func `a delegate that does not choose leaves it as it was`() async throws {
    let log = CallLog()
    let store = InMemorySessionStore([.number(1)])
    let application = Self.application(log, store, revision: "2", choose: nil)
    try await Self.play(application) { application in
      try await application.host.perform(.open(Self.one))
      #expect(log.take().last == "S1.didBecomeActive A")
    }
    #expect(store.sessions.map(\.configurationName) == ["Main"])
    #expect(store.sessions.map(\.manifestRevision) == [nil])
  }

  @Test func `a session of this run is not asked for again`() async throws {
    let log = CallLog()
    let application = Self.application(
      log, InMemorySessionStore(), revision: "2", settings: { $0.asksConfigurationOnRestore = true }
    )
    try await Self.play(application) { application in
      let session = try await application.host.newSession()
      #expect(Self.questions(log) == ["app.configuration(S10)"])
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      try await application.host.perform(.open(session.id))
      #expect(Self.questions(log) == [])
    }
  }

  /// The refresh was to connect the session and is dropped by the request that comes next (R-RF-6).
  @Test func `the answer counts although the request that asked is dropped`() async throws {
    let held = HeldExecutor()
    let log = CallLog()
    let store = InMemorySessionStore([.number(1)])
    let application = Self.application(
      log, store,
      settings: {
        $0.asksConfigurationOnRestore = true
        $0.useOneShard(on: held)
      })
    try await Self.play(application) { application in
      await application.settle()
      held.hold()
      application.submit(.refresh(Self.one))
      application.host.submit(.open(Self.one))
      held.letGo()
      await application.settle()
      #expect(Self.questions(log) == ["app.configuration(S1)"])
      #expect(application.session(Self.one)?.configuration.name == "Other")
    }
    #expect(store.sessions.map(\.configurationName) == ["Other"])
  }
}
