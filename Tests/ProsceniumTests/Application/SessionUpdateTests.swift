// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import ProsceniumPredicate
import Testing

/// A program changes what a session holds, whether or not it has a scene.
@Suite(.timeLimit(.minutes(10))) struct SessionUpdateTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)
  private static let doc = ContentPredicate.equals("doc")

  @Test(arguments: [false, true])
  func `all see the change, no delegate is told, and it is kept`(isConnected: Bool) async throws {
    let log = CallLog()
    let store = InMemorySessionStore([.number(1)])
    let stage = Stage(
      log: log, ["S1.didReceive": { log.append("\($0.title ?? ""), \($0.session.title ?? "")") }],
      store: store)
    try await stage.play { application in
      if isConnected { try await application.host.perform(.connect(Self.one)) }
      _ = log.take()
      let updated = try await application.updateSession(Self.one) { session in
        session.title = "Letters"
        session.subtitle = ""
        session.userInfo = ["zoom": 2]
        session.stateRestorationActivity = .titled("draft")
      }
      #expect(log.take() == [])
      for session in [updated, application.session(Self.one)] {
        #expect(session?.title == "Letters")
        #expect(session?.subtitle == nil)
        #expect(session?.userInfo == ["zoom": 2])
        #expect(session?.stateRestorationActivity == .titled("draft"))
      }
      #expect(store.sessions.map(\.title) == ["Letters"])
      #expect(store.sessions.map(\.stateRestorationActivity) == [.titled("draft")])
      try application.send("look", to: Self.one)
      await application.settle()
      #expect(log.take().last == "Letters, Letters")
    }
  }

  @Test(arguments: [false, true])
  func `settings that no property list can hold are refused, and the old ones stay`(
    isConnected: Bool
  ) async throws {
    let stage = Stage(
      ["S1.didReceive": { $0.userInfo = ["zoom": .null] }],
      store: InMemorySessionStore([.number(1)]))
    try await stage.play { application in
      if isConnected { try await application.host.perform(.connect(Self.one)) }
      try await application.updateSession(Self.one) { $0.userInfo = ["zoom": 2] }
      await #expect(throws: SceneError(.notPropertyList, session: Self.one, "")) {
        try await application.updateSession(Self.one) { $0.userInfo = ["zoom": [.url("u")]] }
      }
      try application.send("zoom", to: Self.one)
      await application.settle()
      #expect(application.session(Self.one)?.userInfo == ["zoom": 2])
    }
  }

  @Test func `the change is of the session as it is`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    try await stage.play { application in
      for number in 1...100 as ClosedRange<Int64> {
        application.process.submitUpdate(of: Self.one) { session in
          session.userInfo = [
            "count": .integer((session.userInfo?["count"]?.integer ?? 0) + number)
          ]
        }
      }
      let session = try await application.updateSession(Self.one) { _ in }
      #expect(session.userInfo == ["count": 5050])
    }
  }

  @Test func `a state without a scene is restored by the next one`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    try await stage.play { application in
      try await application.updateSession(Self.one) { $0.stateRestorationActivity = .titled("new") }
      try await application.host.perform(.connect(Self.one))
      #expect(stage.log.take() == ["S1.willConnect U", "S1.restoreInteractionState(new) B"])
    }
  }

  @Test(arguments: [false, true])
  func `conditions route from then on`(isConnected: Bool) async throws {
    let store = InMemorySessionStore([.number(1), .number(2)])
    try await Stage(store: store).play { application in
      if isConnected { try await application.host.perform(.connect(Self.two)) }
      let before = try application.route("doc")
      #expect(before.session == (isConnected ? Self.two : Self.one))
      try await application.updateSession(Self.two) { session in
        session.activationConditions = .init(can: .false, prefers: Self.doc)
      }
      let preferring = try application.route("doc")
      #expect(preferring.session == Self.two)
      try await application.updateSession(Self.two) { session in
        session.activationConditions = .init(can: .false)
      }
      let after = try application.route("doc")
      #expect(after.session == Self.one)
    }
    #expect(store.sessions.map(\.activationConditions).last == .init(can: .false))
  }

  @Test func `a condition that ends the session counts from then on`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]), delegate: ApplicationScript())
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      try await application.updateSession(Self.one) { session in
        session.destructionConditions = [.systemDisconnection]
      }
      try await application.host.perform(.disconnect(Self.one))
      #expect(stage.log.take().last == "app.didDiscard(S1)")
    }
  }

  @Test func `a session whose restoration is extended is changed at once`() async throws {
    let stage = Stage(
      ["S1.willConnect": { $0.extendStateRestoration() }],
      store: InMemorySessionStore([.number(1)]))
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      let session = try await application.updateSession(Self.one) { $0.title = "Letters" }
      #expect(session.title == "Letters")
      let title = await application.scene(for: Self.one)?.title
      #expect(title == "Letters")
      #expect(application.applicationState == .background)
    }
  }

  // MARK: - While a configuration is awaited

  @Test func `a session that is not open yet takes it along`() async throws {
    let held = HeldExecutor()
    let log = CallLog()
    let store = InMemorySessionStore()
    let stage = Stage(
      log: log, ["S1.willConnect": { log.append($0.title ?? "none") }], store: store,
      delegate: ApplicationScript(choose: { _, session, _ in session.configuration })
    ) { $0.useOneShard(withApplicationOn: held) }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.host.submit(.newSession())
      try await application.updateSession(Self.one) { session in
        session.title = "Letters"
        session.activationConditions = .init(can: .false)
      }
      #expect(store.sessions == [])
      let decision = try application.route("doc")
      #expect(decision.session == nil)
      held.letGo()
      await application.settle()
      #expect(log.take().contains("Letters"))
      #expect(store.sessions.map(\.title) == ["Letters"])
      #expect(store.sessions.map(\.activationConditions) == [.init(can: .false)])
    }
  }

  @Test func `one that then fails is not there for it`() async throws {
    let held = HeldExecutor()
    let wrong = SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
    let store = InMemorySessionStore()
    let stage = Stage(store: store, delegate: ApplicationScript(choose: { _, _, _ in wrong })) {
      $0.useOneShard(on: held)
    }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.host.submit(.newSession())
      // The answer is there when the shard comes to both.
      while application.core.applicationQueue.progress.takes == 0 { await Task.yield() }
      await application.visit()
      async let code = SceneError.code { () throws(SceneError) in
        try await application.updateSession(Self.one) { $0.title = "Letters" }
      }
      await application.waitUntilQueued(2)
      held.letGo()
      #expect(await code == .connectionFailed)
      #expect(store.sessions == [])
      let later = await SceneError.code { () throws(SceneError) in
        try await application.updateSession(Self.one) { _ in }
      }
      #expect(later == .sessionNotOpen)
    }
  }

  // MARK: - Where there is nothing to change

  @Test func `a session that is gone, and an application that ended, refuse it`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    let application = stage.application
    @Sendable func update(_ session: SessionIdentifier) async -> SceneError.Code? {
      await SceneError.code { () throws(SceneError) in
        try await application.updateSession(session) { $0.title = "Letters" }
      }
    }
    async let early = update(Self.one)
    while application.core.gate.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
    try await stage.play { application in
      while application.session(Self.one)?.title == nil { await Task.yield() }
      #expect(await update(.number(99)) == .sessionNotOpen)
      try await application.host.perform(.close(Self.one))
      #expect(await update(Self.one) == .sessionNotOpen)
    }
    #expect(await early == nil)
    #expect(await update(Self.one) == .notRunning)
  }
}

extension Application {
  /// Returns when everything before it on the application's executor has run.
  fileprivate func visit() {}
}
