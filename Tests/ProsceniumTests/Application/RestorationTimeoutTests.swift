// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

/// A restoration that was extended and is not completed in time (R-EXT-1).
@Suite struct RestorationTimeoutTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  private static let extend: @Sendable (isolated Scene) -> Void = { $0.extendStateRestoration() }

  /// One stage with its clock and its store.
  private struct Play: Sendable {
    let stage: Stage
    let clock = ManualClock()
    let store: InMemorySessionStore

    var log: CallLog { stage.log }

    /// Two archived sessions with a saved state.
    init(
      _ script: Script, delegate: ApplicationScript? = nil, capacity: Int? = nil,
      log: CallLog = CallLog()
    ) {
      let store = InMemorySessionStore([
        .number(1, lastActivated: 1, state: "draft"), .number(2, lastActivated: 2, state: "draft"),
      ])
      let clock = clock
      self.store = store
      stage = Stage(log: log, script, store: store, delegate: delegate) {
        $0.clock = clock
        $0.shards = 1
        $0.foregroundCapacity = capacity
        $0.identifiers = .counted(from: 3)
      }
    }

    /// Lets the time of everything pass that is extended by now.
    func letTimePass() async {
      await stage.application.settle()
      clock.advance(by: .seconds(10))
      await stage.application.settle()
    }
  }

  @Test func `the request fails, and the scene is disconnected`() async throws {
    let play = Play(["S1.willConnect": Self.extend])
    let events = play.stage.application.lifecycleEvents()
    try await play.stage.play { application in
      async let code = SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(Self.one))
      }
      while play.log.lines.last != "S1.restoreInteractionState(draft) B" { await Task.yield() }
      await play.letTimePass()
      #expect(await code == .restorationTimedOut)
      #expect(play.log.take().last == "S1.didDisconnect U")
      #expect(application.scene(for: Self.one) == nil)
      #expect(application.disagreements == [])
    }
    #expect(
      await events.lines == [
        "S1 connected", "S1 U→B", "S1 failed: restorationTimedOut", "S1 B→U",
        "S1 disconnected: restorationTimedOut",
      ])
  }

  @Test func `the saved state is dropped, the session stays`() async throws {
    let play = Play(["S1.willConnect": Self.extend])
    try await play.stage.play { application in
      application.host.submit(.open(Self.one))
      await play.letTimePass()
      #expect(application.session(Self.one)?.stateRestorationActivity == nil)
      #expect(play.store.sessions.map(\.stateRestorationActivity) == [nil, .titled("draft")])
    }
    #expect(play.store.sessions.map(\.persistentIdentifier) == [Self.one, Self.two])
  }

  @Test func `the time counts from the first extension of a connection`() async throws {
    let play = Play([
      "S1.willConnect": { scene in
        scene.extendStateRestoration()
        scene.completeStateRestoration()
      },
      "S1.didReceive": Self.extend,
    ])
    try await play.stage.play { application in
      try await application.host.perform(.connect(Self.one))
      play.clock.advance(by: .seconds(6))
      try application.send("extend", to: Self.one)
      await application.settle()
      play.clock.advance(by: .seconds(4))
      await application.settle()
      #expect(play.log.take().last == "S1.didDisconnect U")
    }
  }

  @Test func `one that was completed in time is left alone`() async throws {
    let play = Play(["S1.willConnect": Self.extend])
    try await play.stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      play.clock.advance(by: .nanoseconds(9_999_999_999))
      await application.settle()
      await application.scene(for: Self.one)?.completeStateRestoration()
      await play.letTimePass()
      #expect(play.log.take().last == "S1.didBecomeActive A")
      #expect(play.store.sessions.map(\.stateRestorationActivity?.title) == ["draft", "draft"])
    }
  }

  @Test func `a scene that a message connected is disconnected as well`() async throws {
    let play = Play(["S1.willConnect": Self.extend])
    try await play.stage.play { application in
      let answer = try await application.call("ping", to: Self.one)
      #expect(answer == "gnip")
      await play.letTimePass()
      #expect(play.log.take().last == "S1.didDisconnect U")
      #expect(play.store.sessions.map(\.stateRestorationActivity) == [nil, .titled("draft")])
      #expect(application.disagreements == [])
    }
  }

  @Test func `the victim of a newcomer that took too long goes to the background`() async throws {
    let play = Play(["S2.willConnect": Self.extend], capacity: 1)
    try await play.stage.play { application in
      try await application.host.perform(.open(Self.one))
      _ = play.log.take()
      application.host.submit(.open(Self.two))
      await application.settle()
      #expect(application.applicationState == .inactive)
      await play.letTimePass()
      #expect(
        play.log.take() == [
          "S1.willResignActive A", "S2.willConnect U", "S2.restoreInteractionState(draft) B",
          "S2.didDisconnect U", "S1.didEnterBackground B", "S1.capture B",
        ])
      #expect(application.applicationState == .background)
      #expect(application.disagreements == [])
    }
  }

  // MARK: - What was decided in between

  struct Later: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let submit: @Sendable (Application) throws -> Void
    let state: Scene.ActivationState?
  }

  static let later = [
    Later(testDescription: "nothing", submit: { _ in }, state: nil),
    Later(
      testDescription: "an activation with an activity",
      submit: { $0.submit(.activate(.init(session: one, userActivity: .titled("letter")))) },
      state: .foregroundActive),
    Later(
      testDescription: "the background", submit: { $0.host.submit(.background(one)) },
      state: nil),
    Later(
      testDescription: "an interruption", submit: { $0.host.submit(.interrupt(one)) },
      state: .foregroundInactive),
    Later(
      testDescription: "an interruption and its end",
      submit: {
        $0.host.submit(.interrupt(one))
        $0.host.submit(.resume(one))
      }, state: .foregroundActive),
    Later(
      testDescription: "the background and a disconnect",
      submit: {
        $0.host.submit(.background(one))
        $0.host.submit(.disconnect(one))
      }, state: nil),
    Later(
      testDescription: "the background and a refresh",
      submit: {
        $0.host.submit(.background(one))
        $0.submit(.refresh(one))
      }, state: .background),
    Later(testDescription: "the end", submit: { $0.submit(.destroy(one)) }, state: nil),
    Later(
      testDescription: "a message", submit: { try $0.send("hello", to: one) },
      state: .background),
    Later(
      testDescription: "the background and a message",
      submit: {
        $0.host.submit(.background(one))
        try $0.send("hello", to: one)
      }, state: .background),
    Later(
      testDescription: "an activation with an activity, and the background",
      submit: {
        $0.submit(.activate(.init(session: one, userActivity: .titled("letter"))))
        $0.host.submit(.background(one))
      }, state: .background),
    Later(
      testDescription: "another one for its place, and back again",
      submit: {
        $0.host.submit(.open(two))
        $0.host.submit(.open(one))
        $0.host.submit(.open(two))
      }, state: .background),
    Later(
      testDescription: "another one for its place", submit: { $0.host.submit(.open(two)) },
      state: nil),
  ]

  @Test(arguments: later)
  func `what was decided in between counts`(later: Later) async throws {
    let isFirst = Leased([true, false])
    let play = Play(
      ["S1.willConnect": { if isFirst.next() { $0.extendStateRestoration() } }], capacity: 1)
    try await play.stage.play { application in
      application.host.submit(.open(Self.one))
      try later.submit(application)
      await play.letTimePass()
      #expect(application.disagreements == [])
      #expect(application.scene(for: Self.one)?.activationState == later.state)
    }
  }

  @Test(arguments: later)
  func `what is behind the time-out in the queue counts as well`(later: Later) async throws {
    let held = HeldExecutor()
    let clock = ManualClock()
    let isFirst = Leased([true, false])
    let stage = Stage(
      ["S1.willConnect": { if isFirst.next() { $0.extendStateRestoration() } }],
      store: InMemorySessionStore([.number(1, state: "draft"), .number(2)])
    ) {
      $0.useOneShard(on: held)
      $0.clock = clock
      $0.foregroundCapacity = 1
    }
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      held.hold()
      clock.advance(by: .seconds(10))
      application.process.submitTime()
      try later.submit(application)
      held.letGo()
      await application.settle()
      #expect(application.disagreements == [])
      #expect(application.scene(for: Self.one)?.activationState == later.state)
    }
  }

  @Test func `a refresh behind it connects the session again`() async throws {
    let held = HeldExecutor()
    let clock = ManualClock()
    let isFirst = Leased([true, false])
    let stage = Stage(
      ["S1.willConnect": { if isFirst.next() { $0.extendStateRestoration() } }],
      store: InMemorySessionStore([.number(1)])
    ) {
      $0.useOneShard(on: held)
      $0.clock = clock
    }
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      held.hold()
      clock.advance(by: .seconds(10))
      application.process.submitTime()
      application.submit(.refresh(Self.one))
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.didDisconnect U", "S1.willConnect U", "S1.capture B",
        ])
      #expect(application.disagreements == [])
    }
  }

  @Test func `messages and calls behind it reach the next scene, in their order`() async throws {
    let held = HeldExecutor()
    let clock = ManualClock()
    let isFirst = Leased([true, false])
    let stage = Stage(
      ["S1.willConnect": { if isFirst.next() { $0.extendStateRestoration() } }],
      store: InMemorySessionStore([.number(1)])
    ) {
      $0.useOneShard(on: held)
      $0.clock = clock
    }
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      _ = stage.log.take()
      held.hold()
      try application.send("first", to: Self.one)
      try application.send("second", to: Self.one)
      async let reply = application.callBehindQueue("ping", Self.one)
      await application.waitUntilQueued(3)
      held.letGo()
      await application.settle()
      #expect(stage.log.take() == [])
      clock.advance(by: .seconds(10))
      await application.settle()
      let answer = try await reply
      #expect(answer == "gnip")
      #expect(
        stage.log.take() == [
          "S1.didDisconnect U", "S1.willConnect U", "S1.didReceive(first) B",
          "S1.didReceive(second) B", "S1.replyTo(ping) B",
        ])
      #expect(application.disagreements == [])
    }
  }

  @Test func `a message behind it leaves what was decided later as it is`() async throws {
    let held = HeldExecutor()
    let clock = ManualClock()
    let isFirst = Leased([true, false])
    let stage = Stage(
      ["S1.willConnect": { if isFirst.next() { $0.extendStateRestoration() } }],
      store: InMemorySessionStore([.number(1)])
    ) {
      $0.useOneShard(on: held)
      $0.clock = clock
    }
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      _ = stage.log.take()
      held.hold()
      clock.advance(by: .seconds(10))
      application.process.submitTime()
      try application.send("first", to: Self.one)
      application.host.submit(.background(Self.one))
      application.host.submit(.disconnect(Self.one))
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.didDisconnect U", "S1.willConnect U", "S1.didReceive(first) B", "S1.didDisconnect U",
        ])
      #expect(application.disagreements == [])
    }
  }

  // MARK: - The end of the application

  @Test func `an application that ends does not wait, and keeps the state`() async throws {
    let play = Play(["S1.willConnect": Self.extend], delegate: ApplicationScript())
    let application = play.stage.application
    try await withThrowingTaskGroup { group in
      group.addTask { try await application.run() }
      await application.process.launched()
      async let code = SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(Self.one))
      }
      while play.log.lines.last != "S1.restoreInteractionState(draft) B" { await Task.yield() }
      group.cancelAll()
      #expect(await code == .notRunning)
      try await group.waitForAll()
    }
    #expect(play.log.take().suffix(2) == ["S1.didDisconnect U", "app.willTerminate"])
    #expect(play.store.sessions.map(\.stateRestorationActivity?.title) == ["draft", "draft"])
  }

  @Test func `so it is for a scene that only then begins to restore its state`() async throws {
    let play = Play(
      ["S1.willConnect": Self.extend, "S2.willConnect": Self.extend],
      delegate: ApplicationScript(), capacity: 1)
    try await play.stage.play { application in
      application.host.submit(.open(Self.one)) { play.log.append("S1 \($0.code)") }
      // It waits for the place, and connects when the first one gives up.
      application.host.submit(.open(Self.two)) { play.log.append("S2 \($0.code)") }
      await application.settle()
      _ = play.log.take()
    }
    #expect(
      play.log.take() == [
        "S1 notRunning", "S2.willConnect U", "S2.restoreInteractionState(draft) B",
        "S2 notRunning", "S1.didDisconnect U", "S2.didDisconnect U", "app.willTerminate",
      ])
    #expect(play.store.sessions.map(\.stateRestorationActivity?.title) == ["draft", "draft"])
  }

  @Test func `a process that is killed leaves the state as it was`() async throws {
    let play = Play(["S1.willConnect": Self.extend], delegate: ApplicationScript())
    let application = play.stage.application
    try await play.stage.play { application in
      async let code = SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(Self.one))
      }
      while play.log.lines.last != "S1.restoreInteractionState(draft) B" { await Task.yield() }
      application.process.abandon()
      #expect(await code == .notRunning)
    }
    play.clock.advance(by: .seconds(10))
    #expect(application.isOver)
    #expect(play.log.take().last == "S1.restoreInteractionState(draft) B")
    #expect(play.store.sessions.map(\.stateRestorationActivity?.title) == ["draft", "draft"])
  }
}
