// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

/// The application delegate is given the user's answer to a notification, while the scene waits on
/// its way (semantics#delivery).
@Suite(.timeLimit(.minutes(10))) struct NotificationResponseTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)
  private static let mail = SceneEvent.notification(NotificationResponse("mail"))

  /// Two sessions of which the first is in the background, while the application delegate is busy.
  private static func play(
    _ body: @Sendable (Application, CallLog, HeldExecutor) async throws -> Void
  ) async throws {
    let log = CallLog()
    let held = HeldExecutor()
    var settings = ApplicationSettings.counted
    settings.useOneShard(withApplicationOn: held)
    let store = InMemorySessionStore([.number(1, lastActivated: 1), .number(2)])
    let application = Application(
      manifest: [SceneConfiguration("Main") { ScriptedDelegate(log) }], store: store,
      settings: settings, log: .silent
    ) { RespondingApplicationDelegate(log) }
    try await application.whileRunning {
      await application.process.launched()
      try await application.host.perform(.connect(one))
      _ = log.take()
      held.hold()
      try await body(application, log, held)
    }
  }

  /// Waits until the application delegate is to be given a response.
  private static func waitForResponse(_ application: Application) async {
    while application.core.applicationQueue.progress.isEmpty { await Task.yield() }
  }

  @Test func `others go on, and what comes for the session waits`() async throws {
    try await Self.play { application, log, held in
      application.submit(.deliver(Self.mail))
      await Self.waitForResponse(application)
      try application.send("hello", to: Self.one)
      try await application.host.perform(.open(Self.two))
      #expect(
        log.take() == [
          "S1.willEnterForeground B", "S2.willConnect U", "S2.willEnterForeground B",
          "S2.didBecomeActive A",
        ])
      held.letGo()
      await application.settle()
      #expect(
        log.take() == [
          "app.didReceive(mail, S1) I", "S1.didBecomeActive A", "S1.didReceive(hello) A",
        ])
      #expect(application.disagreements == [])
    }
  }

  @Test func `a session that is destroyed ends when the response has been given`() async throws {
    try await Self.play { application, log, held in
      async let delivered = application.deliver(Self.mail)
      await Self.waitForResponse(application)
      application.submit(.destroy(Self.one))
      application.submit(.deliver(.activity(.titled("letter"))))
      held.letGo()
      let session = try await delivered
      await application.settle()
      #expect(session.id == Self.one)
      let calls = log.take()
      #expect(
        calls.filter { !$0.hasPrefix("S2") } == [
          "S1.willEnterForeground B", "app.didReceive(mail, S1) I", "S1.didBecomeActive A",
          "S1.willResignActive A", "S1.didDisconnect U",
        ])
      #expect(calls.contains("S2.willConnect(letter) U"))
      #expect(application.openSessions.map(\.id) == [Self.two])
    }
  }

  @Test func `an active scene gets nothing but the message that follows`() async throws {
    try await Self.play { application, log, held in
      try await application.host.perform(.open(Self.one))
      _ = log.take()
      application.submit(.deliver(Self.mail))
      await Self.waitForResponse(application)
      try application.send("hello", to: Self.one)
      held.letGo()
      await application.settle()
      #expect(log.take() == ["app.didReceive(mail, S1) A", "S1.didReceive(hello) A"])
    }
  }

  @Test func `the end of the application waits for the delegate`() async throws {
    let calls = CallLog()
    try await Self.play { application, log, held in
      application.submit(.deliver(Self.mail))
      await Self.waitForResponse(application)
      held.letGo()
      await application.settle()
      log.take().forEach(calls.append)
    }
    #expect(calls.lines.suffix(2) == ["app.didReceive(mail, S1) I", "S1.didBecomeActive A"])
  }

  @Test(arguments: [false, true])
  func `where no delegate takes it, it is unhandled (R-LEG-3)`(hasDelegate: Bool) async throws {
    let stage = Stage(delegate: hasDelegate ? ApplicationScript() : nil)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      try await application.host.newSession()
      try await application.deliver(Self.mail)
    }
    #expect(await events.lines.filter { $0.contains("unhandled") } == ["S1 unhandledEvent"])
  }

  @Test func `it is routed by what the notification is about`() {
    let remote = NotificationResponse(
      "mail", userInfo: ["aps": ["target-content-id": "doc", "alert": "New mail"]])
    #expect(remote.targetContentIdentifier == "doc")
    let named = NotificationResponse(
      "mail", targetContentIdentifier: "other", userInfo: ["aps": ["target-content-id": "doc"]])
    #expect(SceneEvent.notification(named).targetContentIdentifier == "other")
    #expect(NotificationResponse("mail", userInfo: ["aps": 1]).targetContentIdentifier == nil)
    #expect(remote.actionIdentifier == NotificationResponse.defaultActionIdentifier)
  }
}
