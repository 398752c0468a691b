// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Proscenium
import ProsceniumPredicate
import Synchronization
import Testing

/// Refresh requests (semantics#refresh).
@Suite struct RefreshTests {
  private static let one = SessionIdentifier.number(1)

  @Test(arguments: [false, true])
  func `a scene in the foreground is left alone (R-RF-1)`(isInterrupted: Bool) async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      if isInterrupted { try await application.host.perform(.interrupt(session.id)) }
      _ = stage.log.take()
      try await application.requestSceneSessionRefresh(session.id)
      application.submit(.refresh(session.id))
      await application.settle()
      #expect(stage.log.take() == [])
    }
  }

  @Test func `an archived session is connected in the background and captured (R-RF-3, R-RF-4)`()
    async throws
  {
    let store = InMemorySessionStore([.number(1, state: "old")])
    let script = ApplicationScript(choose: { _, session, _ in session.configuration })
    let stage = Stage(capturing: "new", store: store, delegate: script)
    try await stage.play { application in
      _ = stage.log.take()
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.restoreInteractionState(old) B", "S1.capture B",
        ])
      #expect(application.scene(for: Self.one)?.activationState == .background)
      #expect(application.applicationState == .background)
      #expect(store.sessions.map(\.stateRestorationActivity) == [.titled("new")])
    }
  }

  @Test func `a scene in the background is captured (R-RF-4)`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      _ = stage.log.take()
      try await application.requestSceneSessionRefresh(session.id)
      #expect(stage.log.take() == ["S1.capture B"])
    }
  }

  @Test func `conditions that the scene sets in the refresh count (R-RF-3)`() async throws {
    let stage = Stage(
      ["S1.willConnect": { $0.activationConditions = .init(can: .false) }],
      store: InMemorySessionStore([.number(1)])
    ) { $0.identifiers = .counted(from: 2) }
    try await stage.play { application in
      try await application.requestSceneSessionRefresh(Self.one)
      let session = try await application.deliver(.activity(.titled("", shows: "doc")))
      #expect(session.id == .number(2))
    }
  }

  @Test func `many requests before the fulfillment are one (R-RF-5)`() async throws {
    let held = HeldExecutor()
    let stage = Stage(store: InMemorySessionStore([.number(1)])) { $0.useOneShard(on: held) }
    try await stage.play { application in
      await application.settle()
      held.hold()
      for _ in 0..<3 { application.submit(.refresh(Self.one)) }
      await application.waitUntilQueued(1)
      async let first: Void = application.requestSceneSessionRefresh(Self.one)
      async let second: Void = application.requestSceneSessionRefresh(Self.one)
      await application.waitUntilQueued(3)
      held.letGo()
      try await first
      try await second
      let calls = stage.log.take()
      #expect(calls.first == "S1.willConnect U")
      #expect(calls.filter { $0 == "S1.capture B" }.count == 1)
    }
  }

  @Test func `a request after the fulfillment is another one`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    try await stage.play { application in
      try await application.requestSceneSessionRefresh(Self.one)
      _ = stage.log.take()
      application.submit(.refresh(Self.one))
      await application.settle()
      #expect(stage.log.take() == ["S1.capture B"])
    }
  }

  @Test func `a refresh never makes a scene active (R-RF-4)`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1), .number(2)])) {
      $0.foregroundCapacity = 1
    }
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      _ = stage.log.take()
      try await application.requestSceneSessionRefresh(Self.one)
      #expect(stage.log.take() == ["S1.willConnect U", "S1.capture B"])
    }
  }

  @Test func `a session that is not open is left alone`() async throws {
    let stage = Stage()
    try await stage.play { application in
      try await application.requestSceneSessionRefresh(SessionIdentifier.number(99))
      application.submit(.refresh(.number(99))) { _ in stage.log.append("failed") }
      #expect(stage.log.take() == [])
    }
  }

  @Test func `it works from a launch in the background (R-RF-7)`() async throws {
    let script = ApplicationScript(actions: [
      "didFinishLaunching": { $0.submit(.refresh(Self.one)) }
    ])
    let stage = Stage(store: InMemorySessionStore([.number(1)]), delegate: script)
    try await stage.play { application in
      await application.settle()
      #expect(stage.log.take().suffix(2) == ["S1.willConnect U", "S1.capture B"])
    }
  }

  @Test func `a refresh that was dropped does not take the next one's place (R-RF-6)`() async throws
  {
    let held = HeldExecutor()
    let refreshes = Atomic<Int>(0)
    let disconnected = DispatchSemaphore(value: 0)
    let stage = Stage(["S1.didDisconnect": { _ in disconnected.signal() }]) { settings in
      settings.useOneShard(on: held, withApplicationOn: HeldExecutor())
      // The decision below blocks a thread of the pool, and other tests may keep the rest busy.
      settings.taskExecutor = ApartExecutor()
      settings.onAdmission = { admission in
        guard case .refreshed = admission,
          refreshes.wrappingAdd(1, ordering: .relaxed).newValue == 2
        else { return }
        // The shard runs what is queued, the dropped refresh first, in the middle of this decision.
        held.letGo()
        let hasRun = disconnected.wait(timeout: .now() + 60) == .success
        #expect(hasRun)
      }
    }
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      await application.settle()
      _ = stage.log.take()
      held.hold()
      application.submit(.refresh(session.id))
      application.submit(.activate(SceneSessionActivationRequest(session: session.id)))
      application.host.submit(.background(session.id))
      application.host.submit(.disconnect(session.id))
      application.submit(.refresh(session.id))
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willEnterForeground B", "S1.didBecomeActive A", "S1.willResignActive A",
          "S1.didEnterBackground B", "S1.capture B", "S1.didDisconnect U", "S1.willConnect U",
          "S1.capture B",
        ])
    }
  }

  @Test func `a message behind a dropped refresh leaves what was decided later as it is`()
    async throws
  {
    let held = HeldExecutor()
    let stage = Stage(store: InMemorySessionStore([.number(1)])) { $0.useOneShard(on: held) }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.submit(.refresh(Self.one))
      try application.send("first", to: Self.one)
      application.submit(.activate(SceneSessionActivationRequest(session: Self.one)))
      application.host.submit(.background(Self.one))
      application.host.submit(.disconnect(Self.one))
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.didReceive(first) B", "S1.willEnterForeground B",
          "S1.didBecomeActive A", "S1.willResignActive A", "S1.didEnterBackground B",
          "S1.capture B", "S1.didDisconnect U",
        ])
      #expect(application.disagreements == [])
    }
  }
}
