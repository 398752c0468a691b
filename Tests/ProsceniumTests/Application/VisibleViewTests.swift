// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// What callbacks and others see of the application while it moves.
@Suite struct VisibleViewTests {
  /// Every callback with the state of the scene (R-ACT-3) and of the application (R-AGG-1).
  @Test func `callbacks see the states before and after their transition`() async throws {
    let log = CallLog()
    let note: @Sendable (isolated Scene) -> Void = {
      log.append("\($0.application.applicationState)")
    }
    let callbacks = [
      "willConnect", "restoreInteractionState", "willEnterForeground", "continue",
      "didBecomeActive", "willResignActive", "didEnterBackground", "capture", "didDisconnect",
    ]
    let stage = Stage(
      log: log, Dictionary(uniqueKeysWithValues: callbacks.map { ("S1.\($0)", note) }),
      store: InMemorySessionStore([.number(1, state: "draft")]))
    try await stage.play { application in
      let one = SessionIdentifier.number(1)
      try await application.requestSceneSessionRefresh(one)
      try await application.activateSceneSession(
        for: .init(session: one, userActivity: .titled("letter")))
      try await application.host.perform(.background(one))
      try await application.host.perform(.disconnect(one))
      #expect(
        log.take() == [
          "S1.willConnect U", "background", "S1.restoreInteractionState(draft) B", "background",
          "S1.capture B", "background", "S1.willEnterForeground B", "background",
          "S1.continue(letter) I", "inactive", "S1.didBecomeActive A", "active",
          "S1.willResignActive A", "active", "S1.didEnterBackground B", "background",
          "S1.capture B", "background", "S1.didDisconnect U", "background",
        ])
    }
  }

  @Test func `a switch between two scenes leaves the application active (R-AGG-1)`() async throws {
    let log = CallLog()
    let note: @Sendable (isolated Scene) -> Void = {
      log.append("\($0.application.applicationState)")
    }
    let stage = Stage(
      log: log,
      [
        "S1.willResignActive": note, "S2.willConnect": note, "S2.willEnterForeground": note,
        "S2.didBecomeActive": note, "S1.didEnterBackground": note,
      ]
    ) { $0.foregroundCapacity = 1 }
    try await stage.play { application in
      try await application.host.newSession()
      _ = log.take()
      try await application.host.newSession()
      #expect(
        log.take() == [
          "S1.willResignActive A", "active", "S2.willConnect U", "active",
          "S2.willEnterForeground B", "active", "S2.didBecomeActive A", "active",
          "S1.didEnterBackground B", "active", "S1.capture B",
        ])
      #expect(application.applicationState == .active)
    }
  }

  @Test func `a switch from an interrupted scene is no reason to seem active before`()
    async throws
  {
    let log = CallLog()
    let note: @Sendable (isolated Scene) -> Void = {
      log.append("\($0.application.applicationState)")
    }
    let stage = Stage(
      log: log, ["S2.willEnterForeground": note, "S2.didBecomeActive": note]
    ) { $0.foregroundCapacity = 1 }
    try await stage.play { application in
      let first = try await application.host.newSession()
      try await application.host.perform(.interrupt(first.id))
      _ = log.take()
      try await application.host.newSession()
      #expect(
        log.take().dropFirst() == [
          "S2.willEnterForeground B", "inactive", "S2.didBecomeActive A", "active",
          "S1.didEnterBackground B", "S1.capture B",
        ])
    }
  }

  @Test func `the application is as near as its nearest scene (R-AGG-1)`() async throws {
    let stage = Stage()
    try await stage.play { application in
      #expect(application.applicationState == .background)
      let first = try await application.host.newSession()
      let second = try await application.host.newSession()
      try await application.host.perform(.interrupt(first.id))
      #expect(application.applicationState == .active)
      try await application.host.perform(.interrupt(second.id))
      #expect(application.applicationState == .inactive)
      try await application.host.perform(.background(first.id))
      #expect(application.applicationState == .inactive)
      try await application.host.perform(.background(second.id))
      #expect(application.applicationState == .background)
      try await application.host.perform(.open(first.id))
      try await application.host.perform(.close(first.id))
      #expect(application.applicationState == .background)
    }
  }

  @Test func `sessions and scenes are there while they should be`() async throws {
    let log = CallLog()
    let note: @Sendable (isolated Scene) -> Void = { scene in
      let application = scene.application
      let own = scene.persistentIdentifier
      log.append(
        "open \(application.openSessions.count), connected \(application.connectedScenes.count), "
          + "\(application.scene(for: own) === scene)")
    }
    let stage = Stage(log: log, ["S1.willConnect": note, "S1.didDisconnect": note])
    try await stage.play { application in
      let session = try await application.host.newSession()
      #expect(
        log.take().prefix(2) == ["S1.willConnect U", "open 1, connected 1, true"])
      try await application.host.perform(.background(session.id))
      _ = log.take()
      try await application.host.perform(.disconnect(session.id))
      // Inside didDisconnect the scene is still there.
      #expect(log.take() == ["S1.didDisconnect U", "open 1, connected 1, true"])
      #expect(application.openSessions.count == 1)
      #expect(application.connectedScenes.isEmpty)
    }
  }

  @Test func `many sessions are all found`() async throws {
    let stored = (1...1_000).map { StoredSession.number($0) }
    let stage = Stage(store: InMemorySessionStore(stored)) { $0.shards = 4 }
    try await stage.play { application in
      #expect(application.openSessions.count == 1_000)
      for number in 1...1_000 as ClosedRange<UInt64> {
        #expect(application.session(.number(number))?.id == .number(number))
      }
      #expect(application.session(.number(1_001)) == nil)
    }
  }

  @Test func `sessions are equal if they are the same`() async throws {
    let stage = Stage(["S1.didReceive": { $0.title = "later" }])
    try await stage.play { application in
      let before = try await application.host.newSession()
      try application.send("hello", to: before.id)
      await application.settle()
      let after = try #require(application.session(before.id))
      #expect(after == before)
      #expect(after.title == "later")
      #expect(before.title == nil)
    }
  }

  @Test func `what is set outside a callback is seen by readers, routing and the store`()
    async throws
  {
    let store = InMemorySessionStore()
    let stage = Stage(store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      let scene = try #require(application.scene(for: session.id))
      await scene.setForTest(title: "Draft", prefers: .equals("doc"))
      await application.settle()
      #expect(application.session(session.id)?.title == "Draft")
      #expect(store.sessions.first?.title == "Draft")
      let other = try await application.activateSceneSession(
        for: .init(userActivity: .titled("a", shows: "doc")))
      #expect(other.id == session.id)
    }
  }
}

extension Scene {
  fileprivate func setForTest(title: String, prefers: ContentPredicate) {
    self.title = title
    activationConditions.prefers = prefers
  }
}
