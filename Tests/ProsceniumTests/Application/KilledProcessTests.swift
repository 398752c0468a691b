// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// A killed process makes no more callbacks, and no task waits for it (semantics#termination).
@Suite(.timeLimit(.minutes(10))) struct KilledProcessTests {
  private static let one = SessionIdentifier.number(1)

  @Test func `the delegate is not asked for what is left of its queue`() async throws {
    let held = HeldExecutor()
    let stage = Stage(
      delegate: ApplicationScript(choose: { application, session, _ in
        application.process.abandon()
        return session.configuration
      })
    ) { $0.useOneShard(withApplicationOn: held) }
    try await stage.play { application in
      await application.settle()
      _ = stage.log.take()
      held.hold()
      for _ in 0..<2 {
        application.host.submit(.newSession()) { stage.log.append("\($0.code)") }
      }
      held.letGo()
      while !application.isOver { await Task.yield() }
    }
    #expect(stage.log.take() == ["app.configuration(S1)", "notRunning", "notRunning"])
  }

  @Test func `a question that was not taken up harms no later request`() async throws {
    let held = HeldExecutor()
    let stage = Stage(
      delegate: ApplicationScript(choose: { _, session, _ in session.configuration })
    ) { $0.useOneShard(withApplicationOn: held) }
    try await stage.play { application in
      await application.settle()
      _ = stage.log.take()
      held.hold()
      async let code = SceneError.code { () throws(SceneError) in
        try await application.host.newSession()
      }
      while application.core.applicationQueue.progress.isEmpty { await Task.yield() }
      application.process.abandon()
      held.letGo()
      #expect(await code == .notRunning)
    }
    await stage.application.settle()
    #expect(stage.log.take() == [])
  }

  @Test func `what comes for an active scene later is refused`() async throws {
    let conditions = SceneActivationConditions(prefers: .equals("letter"))
    let store = InMemorySessionStore([.number(1, conditions: conditions)])
    let stage = Stage(store: store) { $0.shards = 1 }
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      application.process.abandon()
      let mailbox = application.core.directory.mailboxes[0]
      while mailbox.state.withLock({ !$0.isClosed }) { await Task.yield() }
      application.submit(.deliver(.activity(.titled("letter", shows: "letter")))) {
        stage.log.append("event: \($0.code)")
      }
      #expect(throws: SceneError(.notRunning, session: Self.one, "")) {
        try application.send(SceneMessage("letter"), to: Self.one)
      }
    }
    #expect(stage.log.take() == ["event: notRunning"])
  }

  @Test func `an event in whose delivery everything ends counts as failed`() async throws {
    let conditions = SceneActivationConditions(prefers: .equals("letter"))
    let store = InMemorySessionStore([.number(1, conditions: conditions)])
    let stage = Stage(["S1.continue": { $0.application.process.abandon() }], store: store)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      application.submit(.deliver(.activity(.titled("letter", shows: "letter")))) {
        stage.log.append("event: \($0.code)")
      }
      while !application.isOver { await Task.yield() }
    }
    #expect(stage.log.take() == ["S1.continue(letter) A", "event: notRunning"])
  }

  /// Each with what the delegate would be told.
  enum Wait: String, CaseIterable {
    case close, replace, notification
  }

  @Test(arguments: Wait.allCases)
  func `a caller that waits for the delegate is told that nothing runs`(wait: Wait) async throws {
    let held = HeldExecutor()
    let gone = StoredSession(persistentIdentifier: .number(2), configurationName: "Gone")
    let store = InMemorySessionStore([.number(1, lastActivated: 1), gone])
    let stage = Stage(store: store, delegate: ApplicationScript()) {
      $0.useOneShard(withApplicationOn: held)
    }
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      held.hold()
      async let code = SceneError.code { () throws(SceneError) in
        switch wait {
        case .close: try await application.host.perform(.close(Self.one))
        case .replace: try await application.host.perform(.open(SessionIdentifier.number(2)))
        case .notification:
          try await application.deliver(.notification(NotificationResponse("letter")))
        }
      }
      while application.core.applicationQueue.progress.isEmpty { await Task.yield() }
      application.process.abandon()
      held.letGo()
      #expect(await code == .notRunning)
    }
    #expect(stage.log.take().filter { $0.hasPrefix("app") } == [])
    #expect(store.sessions.count == 2)
  }

  @Test func `a launch that is killed while the store is read is none`() async throws {
    let (gate, source) = AsyncStream.makeStream(of: Void.self)
    let store = RemoteStore([.number(1)], onLoad: { for await _ in gate {} })
    let stage = Stage(store: store, delegate: ApplicationScript()) {
      $0.launch = .icon
    }
    let application = stage.application
    let run = Spawner(executor: nil).start { try await application.run() }
    async let code = SceneError.code { () throws(SceneError) in
      try await application.host.newSession()
    }
    while application.core.gate.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
    application.host.submit(.newSession()) { stage.log.append("submitted: \($0.code)") }
    application.process.abandon()
    source.finish()
    try await run.value
    #expect(await code == .notRunning)
    #expect(stage.log.take() == ["submitted: notRunning"])
  }

  @Test func `a launch that is killed by its delegate goes no further`() async throws {
    let script = ApplicationScript(actions: ["willFinishLaunching": { $0.process.abandon() }])
    let store = InMemorySessionStore([.number(1), .number(2)])
    store.discardWhileNotRunning(.number(2))
    let stage = Stage(store: store, delegate: script) { $0.launch = .icon }
    try await stage.application.run()
    #expect(stage.log.take() == ["app.willFinishLaunching"])
    #expect(store.discardedSessions.count == 1)
  }

  @Test(arguments: ["didEnterBackground", "capture", "didDisconnect"])
  func `an end in order that is killed goes no further`(callback: String) async throws {
    let store = InMemorySessionStore()
    let stage = Stage(
      ["S1.\(callback)": { $0.application.process.abandon() }], capturing: "draft", store: store,
      delegate: ApplicationScript()
    ) { $0.shards = 1 }
    try await stage.play { application in
      try await application.host.newSession()
      try await application.host.newSession()
    }
    let calls = stage.log.take()
    #expect(calls.last?.hasPrefix("S1.\(callback)") == true)
    let states = store.sessions.map(\.stateRestorationActivity)
    #expect(states.last == .some(nil))
    // Its state was captured before the last callback, and a commit may have come between.
    if callback != "didDisconnect" { #expect(states.first == .some(nil)) }
  }

  @Test func `a request that waits for a refresh of the host returns`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)])) {
      $0.fulfilsRefreshesByHost = true
    }
    try await stage.play { application in
      async let refresh: Void = application.requestSceneSessionRefresh(Self.one)
      while application.session(Self.one)?.hasPendingRefresh == false { await Task.yield() }
      application.process.abandon()
      try await refresh
    }
    #expect(stage.log.take() == [])
  }
}
