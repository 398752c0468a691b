// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// When a refresh that was requested is fulfilled, and when it is dropped (R-RF-2, R-RF-5, R-RF-6).
@Suite(.timeLimit(.minutes(10))) struct RefreshScheduleTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  private static func stage(
    _ script: Script = [:], store: InMemorySessionStore? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage(script, store: store ?? InMemorySessionStore([.number(1), .number(2)])) {
      $0.fulfilsRefreshesByHost = true
      $0.shards = 1
      change(&$0)
    }
  }

  private static func isPending(_ application: Application) -> Bool? {
    application.session(one)?.hasPendingRefresh
  }

  /// Waits until so many callers wait for the host.
  private static func waitForCallers(_ application: Application, _ count: Int) async {
    let waiting = {
      application.core.gate.withLock { $0.pendingRefreshes.all.flatMap(\.tickets).count }
    }
    while waiting() < count { await Task.yield() }
  }

  // MARK: - When the host says so

  @Test func `it waits for the host, however often it is requested (R-RF-5)`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      #expect(Self.isPending(application) == false)
      for _ in 0..<3 { application.submit(.refresh(Self.one)) }
      application.submit(.refresh(Self.two))
      await application.settle()
      #expect(stage.log.take() == [])
      #expect(Self.isPending(application) == true)
      try await application.host.perform(.fulfilRefreshes)
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.capture B", "S2.willConnect U", "S2.capture B",
        ])
      #expect(Self.isPending(application) == false)
      try await application.host.perform(.fulfilRefreshes)
      #expect(stage.log.take() == [])
    }
  }

  @Test func `every caller goes on when it is fulfilled`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      async let first: Void = application.requestSceneSessionRefresh(Self.one)
      async let second: Void = application.requestSceneSessionRefresh(Self.one)
      await Self.waitForCallers(application, 2)
      #expect(stage.log.take() == [])
      try await application.host.perform(.fulfilRefreshes)
      try await first
      try await second
      #expect(stage.log.take() == ["S1.willConnect U", "S1.capture B"])
    }
  }

  @Test func `a request for one that is on its way is the same (R-RF-5)`() async throws {
    let held = HeldExecutor()
    let stage = Self.stage { $0.useOneShard(on: held) }
    try await stage.play { application in
      application.submit(.refresh(Self.one))
      await application.settle()
      held.hold()
      application.host.submit(.fulfilRefreshes)
      application.submit(.refresh(Self.one))
      async let refresh: Void = application.requestSceneSessionRefresh(Self.one)
      await application.waitUntilQueued(2)
      #expect(Self.isPending(application) == true)
      held.letGo()
      try await refresh
      #expect(stage.log.take() == ["S1.willConnect U", "S1.capture B"])
      #expect(Self.isPending(application) == false)
      try await application.host.perform(.fulfilRefreshes)
      #expect(stage.log.take() == [])
    }
  }

  @Test func `it still waits when the scene has gone before`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      application.submit(.refresh(Self.one))
      try await application.host.perform(.disconnect(Self.one))
      #expect(Self.isPending(application) == true)
      _ = stage.log.take()
      try await application.host.perform(.fulfilRefreshes)
      #expect(stage.log.take() == ["S1.willConnect U", "S1.capture B"])
    }
  }

  @Test func `the scene sees that it is pending`() async throws {
    let log = CallLog()
    let script: Script = [
      "S1.didReceive": { log.append("pending: \($0.session.hasPendingRefresh)") },
      "S1.capture": { log.append("pending: \($0.session.hasPendingRefresh)") },
    ]
    try await Self.stage(script).play { application in
      try application.send("before", to: Self.one)
      await application.settle()
      application.submit(.refresh(Self.one))
      try application.send("after", to: Self.one)
      await application.settle()
      try await application.host.perform(.fulfilRefreshes)
      #expect(log.take() == ["pending: false", "pending: true", "pending: false"])
    }
  }

  // MARK: - When it is dropped (R-RF-6)

  struct Drop: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let act: @Sendable (Application) async throws -> Void
  }

  static let drops = [
    Drop(testDescription: "open", act: { try await $0.host.perform(.open(one)) }),
    Drop(
      testDescription: "open and hold", act: { try await $0.host.perform(.open(one, hold: true)) }),
    Drop(
      testDescription: "event",
      act: { try await $0.deliver(.activity(.titled("")), source: one) }),
    Drop(testDescription: "close", act: { try await $0.host.perform(.close(one)) }),
    Drop(testDescription: "destruction", act: { try await $0.requestSceneSessionDestruction(one) }),
  ]

  @Test(arguments: drops)
  func `its callers go on, and nothing is captured`(drop: Drop) async throws {
    let stage = Self.stage()
    try await stage.play { application in
      async let refresh: Void = application.requestSceneSessionRefresh(Self.one)
      await Self.waitForCallers(application, 1)
      try await drop.act(application)
      try await refresh
      #expect(Self.isPending(application) != true)
      try await application.host.perform(.fulfilRefreshes)
      #expect(!stage.log.take().contains("S1.capture B"))
    }
  }

  @Test func `a session whose first connection fails drops it`() async throws {
    let held = HeldExecutor()
    let wrong = SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
    let stage = Stage(delegate: ApplicationScript(choose: { _, _, _ in wrong })) {
      $0.useOneShard(withApplicationOn: held)
      $0.fulfilsRefreshesByHost = true
    }
    try await stage.play { application in
      await application.settle()
      held.hold()
      let options = Scene.ActivationRequestOptions(
        collectionJoinBehavior: .preferredWithoutActivating)
      application.submit(.activate(.init(options: options)))
      async let refresh: Void = application.requestSceneSessionRefresh(Self.one)
      await Self.waitForCallers(application, 1)
      held.letGo()
      try await refresh
      try await application.host.perform(.fulfilRefreshes)
      #expect(application.openSessions.isEmpty)
    }
  }

  @Test func `one before and one after an activation are two`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      application.submit(.refresh(Self.one))
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.background(Self.one))
      _ = stage.log.take()
      try await application.host.perform(.fulfilRefreshes)
      #expect(stage.log.take() == [])
      application.submit(.refresh(Self.one))
      try await application.host.perform(.fulfilRefreshes)
      #expect(stage.log.take() == ["S1.capture B"])
    }
  }

  @Test func `the first of the two is dropped also if all are queued together`() async throws {
    let held = HeldExecutor()
    let stage = Self.stage {
      $0.useOneShard(on: held)
      $0.fulfilsRefreshesByHost = false
    }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.submit(.refresh(Self.one))
      application.host.submit(.open(Self.one))
      application.host.submit(.background(Self.one))
      application.submit(.refresh(Self.one))
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
          "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B", "S1.capture B",
        ])
      #expect(application.disagreements == [])
    }
  }

  @Test func `it ends with the application, whose callers go on`() async throws {
    let store = InMemorySessionStore([.number(1)])
    let stage = Self.stage(store: store)
    let application = stage.application
    let run = Spawner(executor: nil).start { try await application.run() }
    await application.process.launched()
    async let refresh: Void = application.requestSceneSessionRefresh(Self.one)
    await Self.waitForCallers(application, 1)
    run.cancel()
    try await run.value
    try await refresh
    #expect(stage.log.take() == [])
    let relaunch = Self.stage(store: store)
    try await relaunch.play { application in
      #expect(Self.isPending(application) == false)
      try await application.host.perform(.fulfilRefreshes)
      #expect(relaunch.log.take() == [])
    }
  }
}
