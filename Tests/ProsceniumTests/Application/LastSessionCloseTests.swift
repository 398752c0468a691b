// SPDX-License-Identifier: Apache-2.0

import Dispatch
import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// The user closes the last session as UIKit does it: the process ends, the session stays
/// (R-DST-6).
@Suite(.timeLimit(.minutes(10))) struct LastSessionCloseTests {
  private static let one = SessionIdentifier.number(1)

  private static let choosing = ApplicationScript(choose: { _, session, _ in session.configuration }
  )

  private static func stage(
    _ store: InMemorySessionStore, isSingle: Bool = false,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage(capturing: "draft", store: store, delegate: choosing, isSingle: isSingle) {
      $0.lastSessionClose = .uikitCompat
      change(&$0)
    }
  }

  /// Runs an application until it ends by itself.
  private static func run(
    _ stage: Stage, _ body: @Sendable (Application) async throws -> Void
  ) async throws {
    let application = stage.application
    try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      await application.process.launched()
      try await body(application)
      try await group.waitForAll()
    }
  }

  @Test(arguments: [false, true])
  func `the scene disconnects and run returns, and no delegate is told more`(isSingle: Bool)
    async throws
  {
    let store = InMemorySessionStore()
    let stage = Self.stage(store, isSingle: isSingle)
    let events = stage.application.lifecycleEvents()
    try await Self.run(stage) { application in
      let session = try await application.host.newSession()
      _ = stage.log.take()
      try await application.host.perform(.close(session.id))
    }
    #expect(stage.log.take() == ["S1.willResignActive A", "S1.didDisconnect U"])
    #expect(store.sessions.map(\.persistentIdentifier) == [Self.one])
    #expect(await events.lines.last?.hasPrefix("S1 disconnected: dismissed") == true)
  }

  @Test func `what comes while the shards close is refused`() async throws {
    // Many, so that there is time while they close.
    let stage = Stage {
      $0.lastSessionClose = .uikitCompat
      $0.shards = 64
    }
    try await Self.run(stage) { application in
      let session = try await application.host.newSession()
      let core = application.core
      let shard = try #require(core.directory.find(session.id)).shard(core.directory.shardBits)
      try #require(shard + 1 < core.directory.mailboxes.count)
      application.host.submit(.close(session.id))
      let code = Guarded<SceneError.Code?>(nil)
      await withCheckedContinuation { continuation in
        // A thread of its own looks without a pause, and holds up no other.
        DispatchQueue.global().async {
          while core.directory.mailboxes[shard + 1].state.withLock({ !$0.isClosed }) {}
          application.host.submit(.close(session.id)) { error in code.withLock { $0 = error.code } }
          continuation.resume()
        }
      }
      #expect(code.withLock { $0 } == .notRunning)
    }
  }

  @Test func `an extended restoration does not hold up the end`() async throws {
    let stage = Stage(["S1.willConnect": { $0.extendStateRestoration() }]) {
      $0.lastSessionClose = .uikitCompat
      $0.restorationLimit = .seconds(3_600)
    }
    try await Self.run(stage) { application in
      application.host.submit(.newSession())
      await application.settle()
      try await application.host.perform(.close(Self.one))
    }
    #expect(stage.log.take() == ["S1.willConnect U", "S1.didDisconnect U"])
  }

  @Test func `it ends also where the session never opens`() async throws {
    let held = HeldExecutor()
    let wrong = ApplicationScript(choose: { _, _, _ in
      SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
    })
    let stage = Stage(delegate: wrong) {
      $0.lastSessionClose = .uikitCompat
      $0.useOneShard(withApplicationOn: held)
    }
    try await Self.run(stage) { application in
      held.hold()
      application.host.submit(.newSession())
      application.host.submit(.close(Self.one))
      held.letGo()
    }
    #expect(stage.application.openSessions.isEmpty)
  }

  @Test func `the end of an extended restoration is not waited for, and what follows it is told`()
    async throws
  {
    let stage = Stage(
      ["S1.willConnect": { $0.extendStateRestoration() }], delegate: ApplicationScript()
    ) {
      $0.lastSessionClose = .uikitCompat
      $0.restorationLimit = .seconds(3_600)
    }
    try await Self.run(stage) { application in
      application.host.submit(.newSession())
      try await application.host.newSession()
      application.submit(.destroy(Self.one))
      _ = stage.log.take()
      application.host.submit(.close(SessionIdentifier.number(2)))
    }
    #expect(stage.log.lines.contains("app.didDiscard(S1)"))
  }

  @Test func `the next launch brings the session back, as it was saved, without a question`()
    async throws
  {
    let store = InMemorySessionStore()
    try await Self.run(Self.stage(store)) { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.close(session.id))
    }
    let relaunch = Self.stage(store) { $0.launch = .icon }
    try await relaunch.play { application in
      await application.settle()
      #expect(
        relaunch.log.take().dropFirst(2) == [
          "S1.willConnect U", "S1.restoreInteractionState(draft) B",
          "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `a program that is restoring its state ends in order as well`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    try await Self.run(Self.stage(store)) { application in
      await application.extendStateRestoration()
      try await application.host.perform(.close(Self.one))
    }
    try await Self.stage(store).play { application in
      #expect(application.session(Self.one)?.stateRestorationActivity?.title == "draft")
    }
  }

  @Test func `one without a scene ends the application as well`() async throws {
    let store = InMemorySessionStore([.number(1)])
    let stage = Self.stage(store)
    try await Self.run(stage) { try await $0.host.perform(.close(Self.one)) }
    #expect(stage.log.take() == ["app.willFinishLaunching", "app.didFinishLaunching"])
    #expect(store.sessions.map(\.persistentIdentifier) == [Self.one])
  }

  @Test func `one of two is discarded, and a destruction of the last one too`() async throws {
    let store = InMemorySessionStore([.number(1), .number(2)])
    let stage = Self.stage(store)
    try await stage.play { application in
      try await application.host.perform(.close(Self.one))
      try await application.requestSceneSessionDestruction(SessionIdentifier.number(2))
      #expect(stage.log.take().suffix(2) == ["app.didDiscard(S1)", "app.didDiscard(S2)"])
      #expect(!application.isOver)
    }
    #expect(store.sessions == [])
  }

  @Test func `what was requested before still happens, and nothing after`() async throws {
    let held = HeldExecutor()
    let store = InMemorySessionStore([.number(1)])
    let stage = Self.stage(store) { $0.useOneShard(on: held) }
    try await Self.run(stage) { application in
      await application.settle()
      _ = stage.log.take()
      held.hold()
      application.host.submit(.open(Self.one))
      try application.send("hello", to: Self.one)
      application.host.submit(.close(Self.one))
      application.host.submit(.newSession()) { stage.log.append("new: \($0.code)") }
      let code = await SceneError.code { () throws(SceneError) in
        try application.send("again", to: Self.one)
      }
      #expect(code == .notRunning)
      held.letGo()
    }
    #expect(
      stage.log.take() == [
        "new: notRunning", "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        "S1.didReceive(hello) A", "S1.willResignActive A", "S1.didDisconnect U",
      ])
  }
}
