// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// What a session's next scene gets of its last one (SEQ-CONNECT and
/// semantics#state-restoration).
@Suite struct RestorationTests {
  @Test func `reconnecting makes a new scene and a new delegate (R-ID-5)`() async throws {
    let log = CallLog()
    let stage = Stage(
      log: log,
      manifest: [
        SceneConfiguration("Main") {
          log.append("delegate made")
          return ScriptedDelegate(log)
        }
      ])
    try await stage.play { application in
      let session = try await application.host.newSession()
      let first = try #require(application.scene(for: session.id))
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      try await application.host.perform(.open(session.id))
      let second = try #require(application.scene(for: session.id))
      #expect(first !== second)
      #expect(first.activationState == .unattached)
      #expect(second.activationState == .foregroundActive)
      #expect(application.openSessions.count == 1)
      #expect(log.take().filter { $0 == "delegate made" }.count == 2)
    }
  }

  @Test func `the state is restored before the foreground (SEQ-CONNECT)`() async throws {
    let stage = Stage(capturing: "draft")
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      _ = stage.log.take()
      try await application.host.perform(.open(session.id))
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.restoreInteractionState(draft) B",
          "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `a scene that stayed connected restores nothing`() async throws {
    let stage = Stage(capturing: "draft")
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      _ = stage.log.take()
      try await application.host.perform(.open(session.id))
      #expect(stage.log.take() == ["S1.willEnterForeground B", "S1.didBecomeActive A"])
    }
  }

  @Test func `option and saved state are both given (R-CON-3)`() async throws {
    let log = CallLog()
    let stage = Stage(
      log: log,
      [
        "S1.willConnect": { scene in
          log.append("saved: \(scene.session.stateRestorationActivity?.title ?? "")")
        }
      ], store: InMemorySessionStore([.number(1, state: "draft")]))
    try await stage.play { application in
      try await application.activateSceneSession(
        for: .init(session: SessionIdentifier.number(1), userActivity: .titled("letter")))
      #expect(
        log.take() == [
          "S1.willConnect(letter) U", "saved: draft", "S1.restoreInteractionState(draft) B",
          "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `everything of a session outlives the application`() async throws {
    let store = InMemorySessionStore()
    let first = Stage(
      [
        "S1.willConnect": { scene in
          scene.title = "Letters"
          scene.userInfo = ["zoom": 2]
          scene.activationConditions = .init(can: .false)
        }
      ], capturing: "draft", store: store)
    try await first.play { application in
      try await application.host.newSession(group: "ann")
    }
    let second = Stage(store: store)
    try await second.play { application in
      let session = try #require(application.session(.number(1)))
      #expect(session.title == "Letters")
      #expect(session.userInfo == ["zoom": 2])
      #expect(session.activationConditions == .init(can: .false))
      #expect(session.group == "ann")
      #expect(session.configuration.name == "Main")
      try await application.host.perform(.open(session.id))
      #expect(second.log.take().prefix(2).last == "S1.restoreInteractionState(draft) B")
    }
  }

  @Test func `the order of activations outlives the application`() async throws {
    let store = InMemorySessionStore()
    try await Stage(store: store).play { application in
      let sessions = [
        try await application.host.newSession(), try await application.host.newSession(),
        try await application.host.newSession(),
      ]
      try await application.host.perform(.background(sessions[1].id))
      try await application.host.perform(.open(sessions[1].id))
    }
    #expect(store.sessions.map(\.lastActivated) == [1, 4, 3])
    let relaunch = Stage(store: store) { $0.launch = .icon }
    try await relaunch.play { application in
      await application.settle()
      #expect(relaunch.log.take().first == "S2.willConnect U")
    }
    #expect(store.sessions.map(\.lastActivated) == [1, 5, 3])
  }

  @Test func `no configuration is asked for again (R-CON-1)`() async throws {
    let script = ApplicationScript(choose: { _, session, _ in session.configuration })
    let store = InMemorySessionStore()
    for _ in 0..<2 {
      let stage = Stage(store: store, delegate: script)
      try await stage.play { application in
        let session =
          if let kept = application.openSessions.first { kept } else {
            try await application.host.newSession()
          }
        _ = stage.log.take()
        try await application.host.perform(.background(session.id))
        try await application.host.perform(.disconnect(session.id))
        try await application.host.perform(.open(session.id))
        #expect(!stage.log.take().contains { $0.hasPrefix("app.configuration") })
      }
    }
  }
}
