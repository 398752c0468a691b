// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// The choice of a new session's configuration (semantics#configurations).
@Suite struct ConfigurationTests {
  /// A delegate that tells the kind of its scene.
  private final class KindDelegate: SceneDelegate {
    let log: CallLog
    let kind: String

    init(_ log: CallLog, _ kind: String) {
      self.log = log
      self.kind = kind
    }

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      log.append("\(session.id.label) is \(kind), \(session.configuration.name ?? "no name")")
    }
  }

  private static func kinds(_ log: CallLog) -> [SceneConfiguration] {
    [
      SceneConfiguration("Editor") { KindDelegate(log, "editor") },
      SceneConfiguration("Player") { KindDelegate(log, "player") },
      SceneConfiguration("Screen", role: .windowExternalDisplay) { KindDelegate(log, "screen") },
    ]
  }

  private static func stage(
    log: CallLog = CallLog(), store: InMemorySessionStore = InMemorySessionStore(),
    choose: ApplicationScript.Choice? = nil,
    settings: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage(
      log: log, store: store, delegate: ApplicationScript(choose: choose),
      logger: DiagnosticsLog.logger(log), manifest: kinds(log), settings: settings)
  }

  @Test func `a delegate that does not choose gets the first entry of the role (R-CFG-2)`()
    async throws
  {
    let stage = Self.stage()
    try await stage.play { application in
      _ = stage.log.take()
      try await application.host.newSession()
      try await application.host.newSession(.windowExternalDisplay)
      #expect(stage.log.take() == ["S1 is editor, Editor", "S2 is screen, Screen"])
    }
  }

  @Test func `the delegate is asked once a new session, with its options (R-CFG-1)`() async throws {
    let stage = Self.stage(choose: { _, session, _ in session.configuration })
    try await stage.play { application in
      _ = stage.log.take()
      let session = try await application.activateSceneSession(
        for: .init(userActivity: .titled("letter")))
      #expect(stage.log.take() == ["app.configuration(S1, letter)", "S1 is editor, Editor"])
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      try await application.host.perform(.open(session.id))
      #expect(stage.log.take() == ["debug: configurationSkipped", "S1 is editor, Editor"])
    }
  }

  @Test func `it finds the manifest's configuration in the session`() async throws {
    let log = CallLog()
    let stage = Self.stage(log: log) { _, session, _ in
      log.append("prepared: \(session.configuration.name ?? "")")
      return session.configuration
    }
    try await stage.play { application in
      _ = log.take()
      try await application.host.newSession(.windowExternalDisplay)
      #expect(
        log.take() == [
          "app.configuration(S1)", "prepared: Screen", "S1 is screen, Screen",
        ])
    }
  }

  @Test func `without a name it is the first entry of the role (R-CFG-3)`() async throws {
    let stage = Self.stage(choose: { _, session, _ in
      SceneConfiguration(name: nil, sessionRole: session.role)
    })
    try await stage.play { application in
      _ = stage.log.take()
      let session = try await application.host.newSession()
      #expect(stage.log.take() == ["app.configuration(S1)", "S1 is editor, Editor"])
      #expect(session.configuration.name == "Editor")
    }
  }

  @Test func `with a name it is that entry, and the session keeps it (R-CFG-5)`() async throws {
    let store = InMemorySessionStore()
    let stage = Self.stage(
      store: store,
      choose: { _, session, _ in SceneConfiguration(name: "Player", sessionRole: session.role) })
    try await stage.play { application in
      _ = stage.log.take()
      let session = try await application.host.newSession()
      #expect(stage.log.take() == ["app.configuration(S1)", "S1 is player, Player"])
      #expect(session.configuration.name == "Player")
      #expect(session.configuration.delegateClass == "KindDelegate")
    }
    #expect(store.sessions.map(\.configurationName) == ["Player"])
    let relaunch = Self.stage(store: store)
    try await relaunch.play { application in
      _ = relaunch.log.take()
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      #expect(relaunch.log.take() == ["S1 is player, Player"])
    }
  }

  @Test func `a configuration outside the manifest is used as it is`() async throws {
    let log = CallLog()
    let stage = Self.stage(log: log) { _, _, _ in
      SceneConfiguration("Guest") { KindDelegate(log, "guest") }
    }
    try await stage.play { application in
      _ = log.take()
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      try await application.host.perform(.open(session.id))
      #expect(
        log.take() == [
          "app.configuration(S1)", "S1 is guest, Guest", "debug: configurationSkipped",
          "S1 is guest, Guest",
        ])
    }
  }

  @Test func `an unknown name makes a scene without a delegate, and a warning (R-CFG-3)`()
    async throws
  {
    let stage = Self.stage(choose: { _, session, _ in
      SceneConfiguration(name: "Edtior", sessionRole: session.role)
    })
    try await stage.play { application in
      _ = stage.log.take()
      let session = try await application.host.newSession()
      #expect(stage.log.take() == ["app.configuration(S1)", "warning: configurationNotFound"])
      #expect(application.scene(for: session.id)?.activationState == .foregroundActive)
      #expect(session.configuration.name == "Edtior")
      #expect(session.configuration.delegateClass == nil)
    }
  }

  @Test func `a role that the manifest does not list makes one as well`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      _ = stage.log.take()
      let session = try await application.host.newSession("kiosk")
      #expect(stage.log.take() == ["warning: configurationNotFound"])
      #expect(session.role == "kiosk")
      #expect(session.configuration.delegateClass == nil)
    }
  }

  // MARK: - Another role (R-CFG-4)

  private static let wrong: ApplicationScript.Choice = { _, _, _ in
    SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
  }

  @Test func `another role fails the request, and the session never was (R-CFG-4)`() async throws {
    let store = InMemorySessionStore()
    let stage = Self.stage(store: store, choose: Self.wrong)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      _ = stage.log.take()
      let code = await SceneError.code { () throws(SceneError) in
        try await application.activateSceneSession(for: .init(userActivity: .titled("letter")))
      }
      #expect(code == .roleMismatch)
      #expect(stage.log.take() == ["app.configuration(S1, letter)"])
      #expect(application.openSessions.isEmpty)
      #expect(application.session(.number(1)) == nil)
      application.submit(.activate(.init())) { error in
        stage.log.append("\(error.code) \(error.session?.label ?? "")")
      }
      await application.settle()
      #expect(stage.log.take() == ["app.configuration(S2)", "roleMismatch S2"])
    }
    #expect(store.sessions == [])
    #expect(
      await events.lines == [
        "S1 lost activity letter", "S1 failed: roleMismatch", "S2 failed: roleMismatch",
      ])
  }

  @Test func `no scene gives way to a session that fails (R-SW-1)`() async throws {
    let stage = Stage(
      delegate: ApplicationScript(choose: { application, session, options in
        session.id == .number(2)
          ? SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
          : session.configuration
      })
    ) { $0.foregroundCapacity = 1 }
    try await stage.play { application in
      let first = try await application.host.newSession()
      _ = stage.log.take()
      let code = await SceneError.code { () throws(SceneError) in
        try await application.host.newSession()
      }
      #expect(code == .roleMismatch)
      #expect(stage.log.take() == ["app.configuration(S2)"])
      #expect(application.scene(for: first.id)?.activationState == .foregroundActive)
      // The place is still taken: the next one displaces the first.
      try await application.host.newSession()
      #expect(stage.log.take().prefix(2) == ["app.configuration(S3)", "S1.willResignActive A"])
    }
  }

  @Test func `a failed session takes no part of the quota`() async throws {
    let stage = Self.stage(choose: Self.wrong) { $0.sessionQuota = 1 }
    try await stage.play { application in
      for _ in 0..<3 {
        let code = await SceneError.code { () throws(SceneError) in
          try await application.host.newSession()
        }
        #expect(code == .roleMismatch)
      }
    }
  }

  // MARK: - While the delegate thinks

  @Test func `others go on while a configuration is awaited, and its messages wait`()
    async throws
  {
    let held = HeldExecutor()
    let stage = Stage(
      store: InMemorySessionStore([.number(1)]),
      delegate: ApplicationScript(choose: { _, session, _ in session.configuration })
    ) {
      $0.useOneShard(withApplicationOn: held)
      $0.identifiers = .counted(from: 2)
    }
    try await stage.play { application in
      await application.settle()
      _ = stage.log.take()
      held.hold()
      application.host.submit(.newSession())
      try application.send("hello", to: SessionIdentifier.number(2))
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
      #expect(application.openSessions.map(\.id.label) == ["S1"])
      held.letGo()
      #expect(try await application.call("hello", to: SessionIdentifier.number(2)) == "olleh")
      #expect(
        stage.log.take() == [
          "app.configuration(S2)", "S2.willConnect U", "S2.willEnterForeground B",
          "S2.didBecomeActive A", "S2.didReceive(hello) A", "S2.replyTo(hello) A",
        ])
    }
  }

  @Test func `messages and calls for a session that fails are lost, and it is said`()
    async throws
  {
    let held = HeldExecutor()
    let stage = Stage(delegate: ApplicationScript(choose: Self.wrong)) {
      $0.useOneShard(on: held)
    }
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.host.submit(.newSession())
      try application.send("hello", to: SessionIdentifier.number(1))
      async let code = SceneError.code { () throws(SceneError) in
        try await application.callBehindQueue("ping", SessionIdentifier.number(1))
      }
      await application.waitUntilQueued(3)
      held.letGo()
      #expect(await code == .lost)
    }
    #expect(await events.lines == ["S1 failed: roleMismatch", "S1 lost message hello"])
  }

  @Test func `what was requested for a session that fails is refused`() async throws {
    let held = HeldExecutor()
    let stage = Stage(delegate: ApplicationScript(choose: Self.wrong)) {
      $0.useOneShard(withApplicationOn: held)
    }
    try await stage.play { application in
      await application.settle()
      _ = stage.log.take()
      held.hold()
      let one = SessionIdentifier.number(1)
      application.host.submit(.newSession()) { stage.log.append("open: \($0.code)") }
      application.host.submit(.background(one)) { stage.log.append("background: \($0.code)") }
      application.host.submit(.open(one)) { stage.log.append("again: \($0.code)") }
      application.submit(.destroy(one)) { stage.log.append("destroy: \($0.code)") }
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take() == [
          "app.configuration(S1)", "open: roleMismatch", "background: connectionFailed",
          "again: connectionFailed", "destroy: connectionFailed",
        ])
      #expect(application.openSessions.isEmpty)
    }
  }
}
