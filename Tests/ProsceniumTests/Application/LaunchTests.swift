// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// SEQ-LAUNCH (semantics#launch) and what is submitted before it.
@Suite struct LaunchTests {
  private static let three = [
    StoredSession.number(1, lastActivated: 5), .number(2, lastActivated: 9),
    .number(3, lastActivated: 7),
  ]

  // MARK: - What a launch connects (R-LCH-3)

  @Test func `a launch in the background connects nothing`() async throws {
    let stage = Stage(store: InMemorySessionStore(Self.three), delegate: ApplicationScript())
    try await stage.play { application in
      await application.settle()
      #expect(stage.log.take() == ["app.willFinishLaunching", "app.didFinishLaunching"])
      #expect(application.openSessions.count == 3)
      #expect(application.connectedScenes.isEmpty)
      #expect(application.applicationState == .background)
    }
  }

  @Test func `a launch from the icon brings the most recently active session forward`()
    async throws
  {
    let stage = Stage(store: InMemorySessionStore(Self.three), delegate: ApplicationScript()) {
      $0.launch = .icon
    }
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take() == [
          "app.willFinishLaunching", "app.didFinishLaunching", "S2.willConnect U",
          "S2.willEnterForeground B", "S2.didBecomeActive A",
        ])
    }
  }

  @Test func `a launch from the icon opens a session if there is none`() async throws {
    let stage = Stage(delegate: ApplicationScript()) { $0.launch = .icon }
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take() == [
          "app.willFinishLaunching", "app.didFinishLaunching", "S1.willConnect U",
          "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `the new session of a launch is configured although no caller awaits it`()
    async throws
  {
    let script = ApplicationScript(choose: { _, session, _ in session.configuration })
    let stage = Stage(delegate: script) { $0.launch = .icon }
    let events = stage.application.lifecycleEvents()
    try await stage.play { _ in
      // Nothing but the event tells, and it comes before the call; to settle would help.
      for await event in events where event.line == "S1 I→A" { break }
      while stage.log.lines.last != "S1.didBecomeActive A" { await Task.yield() }
      #expect(
        stage.log.take() == [
          "app.willFinishLaunching", "app.didFinishLaunching", "app.configuration(S1)",
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `a launch can connect every session in the background, the most recent first`()
    async throws
  {
    let stage = Stage(store: InMemorySessionStore(Self.three)) {
      $0.launch = .connectAll
      $0.shards = 1
    }
    try await stage.play { application in
      await application.settle()
      #expect(stage.log.take() == ["S2.willConnect U", "S3.willConnect U", "S1.willConnect U"])
      #expect(application.connectedSceneCount == 3)
      #expect(application.applicationState == .background)
    }
  }

  @Test func `pending discards are told in one call, before the first connect (R-LCH-2)`()
    async throws
  {
    let store = InMemorySessionStore(Self.three)
    store.discardWhileNotRunning(.number(1))
    store.discardWhileNotRunning(.number(3))
    let stage = Stage(store: store, delegate: ApplicationScript()) { $0.launch = .icon }
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take() == [
          "app.willFinishLaunching", "app.didFinishLaunching", "app.didDiscard(S1, S3)",
          "S2.willConnect U", "S2.willEnterForeground B", "S2.didBecomeActive A",
        ])
      #expect(application.openSessions.map(\.id.label) == ["S2"])
    }
    #expect(store.discardedSessions == [])
  }

  // MARK: - Before the launch

  @Test func `requests from before the launch take their places in order`() async throws {
    let stage = Stage { $0.shards = 1 }
    let application = stage.application
    application.submit(.activate(.init(userActivity: .titled("first"))))
    application.submit(.deliver(.activity(.titled("second"))))
    application.host.submit(.background(.number(1)))
    application.host.submit(.newSession())
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willConnect(first) U", "S1.willEnterForeground B", "S1.didBecomeActive A",
          "S1.continue(second) A", "S1.willResignActive A", "S1.didEnterBackground B",
          "S1.capture B", "S2.willConnect U", "S2.willEnterForeground B", "S2.didBecomeActive A",
        ])
    }
  }

  @Test func `what is submitted while they are taken up comes after them`() async throws {
    let stage = Stage { $0.shards = 1 }
    let application = stage.application
    application.submit(.activate(.init(session: .number(99)))) { _ in
      application.submit(.activate(.init(userActivity: .titled("third"))))
    }
    application.submit(.activate(.init(userActivity: .titled("first"))))
    application.submit(.activate(.init(userActivity: .titled("second"))))
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take().filter { $0.contains("willConnect") } == [
          "S1.willConnect(first) U", "S2.willConnect(second) U", "S3.willConnect(third) U",
        ])
    }
  }

  @Test func `what the delegate submits in the launch comes after it`() async throws {
    let script = ApplicationScript(actions: [
      "willFinishLaunching": { $0.submit(.activate(.init())) }
    ])
    let stage = Stage(delegate: script)
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take() == [
          "app.willFinishLaunching", "app.didFinishLaunching", "S1.willConnect U",
          "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `an awaited request waits for the launch`() async throws {
    let stage = Stage()
    let application = stage.application
    async let session = application.activateSceneSession()
    await application.waitUntilLaunchIsAwaited()
    try await stage.play { _ in }
    let opened = try await session
    #expect(opened.id == .number(1))
  }

  @Test func `a message is refused before the launch and after the end`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    let application = stage.application
    @Sendable func code() async -> SceneError.Code? {
      await SceneError.code { () throws(SceneError) in
        try application.send("hello", to: SessionIdentifier.number(1))
      }
    }
    #expect(await code() == .notRunning)
    try await stage.play { _ in #expect(await code() == nil) }
    #expect(await code() == .notRunning)
  }

  // MARK: - Launches that fail

  private struct Failure: Error {}

  @Test func `a store that cannot be read fails the run with its error`() async throws {
    let stage = Stage(
      store: RemoteStore(onLoad: { throw Failure() }), delegate: ApplicationScript())
    let application = stage.application
    let events = application.lifecycleEvents()
    application.submit(.activate(.init())) { stage.log.append("failed: \($0.code)") }
    async let refusal = SceneError.code { () throws(SceneError) in
      try await application.activateSceneSession()
    }
    await #expect(throws: Failure.self) { try await application.run() }
    let code = await refusal
    #expect(code == .notRunning)
    #expect(stage.log.take() == ["failed: notRunning"])
    for await event in events { Issue.record("nothing happened, but \(event.line)") }
  }

  @Test func `an application runs once`() async throws {
    let stage = Stage(delegate: ApplicationScript())
    let application = stage.application
    try await stage.play { _ in
      await #expect(throws: SceneError.self) { try await application.run() }
    }
    await #expect(throws: SceneError.self) { try await application.run() }
    #expect(
      stage.log.take() == [
        "app.willFinishLaunching", "app.didFinishLaunching", "app.willTerminate",
      ])
  }

  @Test func `limits below one are brought to one`() async throws {
    let stage = Stage {
      $0.eventLimit = 0
      $0.requestLimit = -1
      $0.foregroundCapacity = 0
      $0.shards = 0
    }
    try await stage.play { application in
      let session = try await application.activateSceneSession()
      try await application.sendWithBackpressure("hello", to: session.id)
      await application.settle()
      #expect(stage.log.take().last == "S1.didReceive(hello) A")
    }
  }
}
