// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// SEQ-BACKGROUND (semantics#background-and-snapshots) and the state capture
/// (semantics#state-restoration).
@Suite struct BackgroundTests {
  @Test func `the scene resigns, enters the background, and is captured (R-BG-1)`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      _ = stage.log.take()
      try await application.host.perform(.background(session.id))
      #expect(
        stage.log.take() == [
          "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B",
        ])
      #expect(application.applicationState == .background)
    }
  }

  @Test func `an interrupted scene does not resign again`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.interrupt(session.id))
      _ = stage.log.take()
      try await application.host.perform(.background(session.id))
      #expect(stage.log.take() == ["S1.didEnterBackground B", "S1.capture B"])
    }
  }

  @Test func `only the scene that moves is told (R-BG-3)`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let first = try await application.host.newSession()
      try await application.host.newSession()
      _ = stage.log.take()
      try await application.host.perform(.background(first.id))
      #expect(stage.log.take().allSatisfy { $0.hasPrefix("S1") })
      #expect(application.applicationState == .active)
    }
  }

  @Test func `what is in the background or archived stays there`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1), .number(2)])) {
      $0.launch = .background
    }
    try await stage.play { application in
      try await application.requestSceneSessionRefresh(SessionIdentifier.number(1))
      _ = stage.log.take()
      try await application.host.perform(.background(SessionIdentifier.number(1)))
      try await application.host.perform(.background(SessionIdentifier.number(2)))
      #expect(stage.log.take() == [])
      #expect(application.connectedSceneCount == 1)
    }
  }

  @Test func `what the delegate returns is kept with the session and in the store (R-SR-2)`()
    async throws
  {
    let store = InMemorySessionStore()
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      #expect(application.session(session.id)?.stateRestorationActivity == nil)
      try await application.host.perform(.background(session.id))
      #expect(application.session(session.id)?.stateRestorationActivity == .titled("draft"))
      #expect(store.sessions.map(\.stateRestorationActivity) == [.titled("draft")])
    }
  }

  @Test func `a delegate that returns nothing clears what was kept (R-SR-3)`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Stage(store: store)
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      try await application.host.perform(.background(SessionIdentifier.number(1)))
      #expect(application.session(.number(1))?.stateRestorationActivity == nil)
      #expect(store.sessions.map(\.stateRestorationActivity) == [nil])
    }
  }

  @Test func `a delegate without the method leaves it as it is (R-SR-4)`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Stage(
      store: store, manifest: [SceneConfiguration("Main", SilentDelegate.init)])
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      try await application.host.perform(.background(SessionIdentifier.number(1)))
      #expect(application.session(.number(1))?.stateRestorationActivity == .titled("draft"))
      #expect(store.sessions.map(\.stateRestorationActivity) == [.titled("draft")])
    }
  }

  @Test func `settings and title that callbacks set are kept`() async throws {
    let store = InMemorySessionStore()
    let stage = Stage(
      [
        "S1.willConnect": { scene in
          scene.title = "Letters"
          scene.userInfo = ["zoom": 2]
        },
        "S1.willResignActive": { $0.title = "" },
      ], store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      #expect(session.title == "Letters")
      #expect(session.userInfo == ["zoom": 2])
      #expect(store.sessions.map(\.title) == ["Letters"])
      try await application.host.perform(.background(session.id))
      // An empty title is none.
      #expect(store.sessions.map(\.title) == [nil])
      #expect(store.sessions.map(\.userInfo) == [["zoom": 2]])
    }
  }

  @Test func `marking the state while it is captured does not capture it forever`() async throws {
    let stage = Stage(["S1.capture": { $0.setNeedsCapture() }])
    try await stage.play { application in
      let session = try await application.host.newSession()
      _ = stage.log.take()
      try await application.host.perform(.background(session.id))
      #expect(stage.log.take().filter { $0 == "S1.capture B" }.count == 1)
    }
  }

  @Test func `a session that is not open cannot be sent there`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.background(SessionIdentifier.number(99)))
      }
      #expect(code == .sessionNotOpen)
    }
  }
}
