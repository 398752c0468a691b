// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// An event finds an application that is launched for it, or one that runs (R-CON-2,
/// semantics#delivery).
@Suite(.timeLimit(.minutes(10))) struct LaunchEventTests {
  /// An event, how it looks in connection options, and as a callback.
  struct Kind: Sendable, CustomTestStringConvertible {
    let event: SceneEvent
    let option: String
    let callback: String
    var afterwards: [String] = []

    var testDescription: String { option }
  }

  static let kinds = [
    Kind(event: .url(OpenURLContext("doc")), option: "url: doc", callback: "S1.openURL(doc) I"),
    Kind(
      event: .activity(.titled("letter")), option: "activity: letter",
      callback: "S1.continue(letter) I"),
    Kind(
      event: .shortcut(ShortcutItem("new")), option: "shortcut: new",
      callback: "S1.performAction(new) I"),
    Kind(
      event: .notification(NotificationResponse("mail")), option: "notification: mail",
      callback: "app.didReceive(mail, S1) I"),
    Kind(
      event: .share(ShareMetadata("list")), option: "share: list",
      callback: "S1.userDidAcceptShare(list) I"),
    Kind(
      event: .handoff(activityType: "read"), option: "handoff: read",
      callback: "S1.willContinue(read) I", afterwards: ["S1.willContinue(read) A"]),
  ]

  private static func application(
    _ log: CallLog, _ store: InMemorySessionStore = InMemorySessionStore(),
    isSingle: Bool = false, settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Application {
    var settings = ApplicationSettings.counted
    change(&settings)
    let configuration = SceneConfiguration("Main") { ListeningDelegate(log) }
    return Application(
      manifest: SceneManifest([configuration], supportsMultipleScenes: !isSingle), store: store,
      settings: settings, log: .silent
    ) { RespondingApplicationDelegate(log) }
  }

  private static func play(
    _ application: Application, _ body: @Sendable (Application) async throws -> Void
  ) async throws {
    try await application.whileRunning {
      await application.process.launched()
      await application.settle()
      try await body(application)
    }
  }

  @Test(arguments: kinds, [false, true])
  func `a launch for it has it in the options of one scene, and nowhere else`(
    kind: Kind, isNew: Bool
  ) async throws {
    let log = CallLog()
    let store = InMemorySessionStore(isNew ? [] : [.number(1), .number(2)])
    let application = Self.application(log, store) { $0.launch = .event(kind.event) }
    try await Self.play(application) { application in
      #expect(
        log.take()
          == ["S1.willConnect(\(kind.option)) U", "S1.didBecomeActive A"] + kind.afterwards)
      #expect(application.connectedSceneCount == 1)
    }
  }

  @Test(arguments: kinds)
  func `a scene that runs hears of it by its callback alone, in state I`(kind: Kind) async throws {
    let log = CallLog()
    let application = Self.application(log)
    try await Self.play(application) { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      _ = log.take()
      try await application.deliver(kind.event)
      #expect(log.take() == [kind.callback, "S1.didBecomeActive A"])
    }
  }

  @Test(arguments: kinds)
  func `a session that lost its scene has it in the options of the next one`(
    kind: Kind
  ) async throws {
    let log = CallLog()
    let application = Self.application(log, isSingle: true)
    try await Self.play(application) { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      _ = log.take()
      try await application.deliver(kind.event)
      #expect(
        log.take()
          == ["S1.willConnect(\(kind.option)) U", "S1.didBecomeActive A"] + kind.afterwards)
    }
  }

  @Test func `what is submitted before the launch comes after its event`() async throws {
    let log = CallLog()
    let application = Self.application(log) {
      $0.launch = .event(.url(OpenURLContext("first")))
      $0.shards = 1
    }
    application.submit(.deliver(.url(OpenURLContext("second"))))
    try await Self.play(application) { _ in
      #expect(
        log.take() == [
          "S1.willConnect(url: first) U", "S1.didBecomeActive A", "S1.openURL(second) A",
        ])
    }
  }

  // MARK: - Launches without one

  @Test func `a launch in the background connects nothing, until an event comes`() async throws {
    let log = CallLog()
    let application = Self.application(log, InMemorySessionStore([.number(1)]))
    try await Self.play(application) { application in
      #expect(log.take() == [])
      #expect(application.applicationState == .background)
      try await application.deliver(.url(OpenURLContext("doc")))
      #expect(log.take() == ["S1.willConnect(url: doc) U", "S1.didBecomeActive A"])
    }
  }

  @Test func `to connect all brings no scene to the foreground`() async throws {
    let log = CallLog()
    let application = Self.application(log, InMemorySessionStore([.number(1), .number(2)])) {
      $0.launch = .connectAll
    }
    try await Self.play(application) { application in
      #expect(log.take().sorted() == ["S1.willConnect U", "S2.willConnect U"])
      #expect(application.disagreements == [])
      try await application.deliver(.url(OpenURLContext("doc")))
      #expect(log.take() == ["S1.openURL(doc) I", "S1.didBecomeActive A"])
    }
  }

  // MARK: - A launch whose event is refused

  @Test(arguments: [SceneError.Code.quotaReached, .limitExceeded])
  func `the application runs without it, and the refusal is reported`(
    code: SceneError.Code
  ) async throws {
    let log = CallLog()
    let identifier = String(repeating: "x", count: code == .limitExceeded ? 8_193 : 8_192)
    let application = Self.application(log) {
      $0.launch = .event(.url(OpenURLContext(identifier)))
      $0.sessionQuota = code == .limitExceeded ? nil : 0
    }
    let events = application.lifecycleEvents()
    try await Self.play(application) { application in
      #expect(application.openSessions.isEmpty)
      #expect(log.take() == [])
    }
    let failures = await events.lines.filter { $0.contains("failed") }
    #expect(failures == ["app failed: \(code)"])
  }
}
