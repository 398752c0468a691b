// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// Activation requests (semantics#activation) and their refusals (semantics#errors).
@Suite struct ActivationTests {
  private static func prefers(_ identifier: String) throws -> SceneActivationConditions {
    SceneActivationConditions(prefers: try .equals(identifier))
  }

  // MARK: - Where the activity goes

  @Test func `a new session finds the activity in its options`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.activateSceneSession(
        for: .init(userActivity: .titled("letter")))
      #expect(session.id == .number(1))
      #expect(
        stage.log.take() == [
          "S1.willConnect(letter) U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `an archived session finds it in its options`() async throws {
    let stage = Stage(
      store: InMemorySessionStore([.number(1)]),
      delegate: ApplicationScript(choose: { _, session, _ in session.configuration }))
    try await stage.play { application in
      _ = stage.log.take()
      try await application.activateSceneSession(
        for: .init(session: SessionIdentifier.number(1), userActivity: .titled("letter")))
      // No configuration is asked for (R-CON-1).
      #expect(
        stage.log.take() == [
          "S1.willConnect(letter) U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `a connected scene continues the activity`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.activateSceneSession()
      try await application.host.perform(.background(session.id))
      _ = stage.log.take()

      try await application.activateSceneSession(
        for: .init(session: session, userActivity: .titled("a")))
      #expect(
        stage.log.take() == [
          "S1.willEnterForeground B", "S1.continue(a) I", "S1.didBecomeActive A",
        ])

      try await application.activateSceneSession(
        for: .init(session: session, userActivity: .titled("b")))
      #expect(stage.log.take() == ["S1.continue(b) A"])

      try await application.activateSceneSession(for: .init(session: session))
      #expect(stage.log.take() == [])

      try await application.host.perform(.interrupt(session.id))
      try await application.activateSceneSession(
        for: .init(session: session, userActivity: .titled("c")))
      #expect(
        stage.log.take() == [
          "S1.willResignActive A", "S1.continue(c) I", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `an archived session is connected once for many requests (R-ACTV-3)`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    for title in ["a", "b", "c"] {
      stage.application.submit(
        .activate(.init(session: .number(1), userActivity: .titled(title))))
    }
    try await stage.play { application in
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willConnect(a) U", "S1.willEnterForeground B", "S1.didBecomeActive A",
          "S1.continue(b) A", "S1.continue(c) A",
        ])
    }
  }

  // MARK: - Which session (semantics#activation, 3)

  @Test func `without an identifier the session is new`() async throws {
    let stage = Stage(
      store: InMemorySessionStore([.number(1, conditions: .init(prefers: .true))])
    ) { $0.identifiers = .counted(from: 2) }
    try await stage.play { application in
      let session = try await application.activateSceneSession(
        for: .init(userActivity: .titled("letter")))
      #expect(session.id == .number(2))
    }
  }

  @Test func `a session that prefers the identifier is used again (R-REQ-2)`() async throws {
    let store = InMemorySessionStore([
      .number(1), .number(2, conditions: try Self.prefers("doc-2")),
      .number(3, conditions: try Self.prefers("doc-3")),
    ])
    let stage = Stage(store: store) { $0.identifiers = .counted(from: 4) }
    try await stage.play { application in
      for (identifier, label) in [("doc-2", "S2"), ("doc-3", "S3"), ("doc-4", "S4")] {
        let session = try await application.activateSceneSession(
          for: .init(userActivity: .titled("letter", shows: identifier)))
        #expect(session.id.label == label)
      }
    }
  }

  @Test func `the address of a page replaces a missing identifier`() async throws {
    let store = InMemorySessionStore([
      .number(1, conditions: try Self.prefers("https://example.org/"))
    ])
    let stage = Stage(store: store) { $0.identifiers = .counted(from: 2) }
    try await stage.play { application in
      let activity = UserActivity("test.browse", webpageURL: "https://example.org/")
      let session = try await application.activateSceneSession(for: .init(userActivity: activity))
      #expect(session.id == .number(1))
    }
  }

  @Test func `only sessions of the requested role are asked (R-REQ-1)`() async throws {
    let conditions = try Self.prefers("doc")
    let store = InMemorySessionStore([
      .number(1, conditions: conditions),
      .number(2, conditions: conditions, role: .windowExternalDisplay),
    ])
    let stage = Stage(
      store: store,
      manifest: [
        SceneConfiguration("Main", SilentDelegate.init),
        SceneConfiguration("Main", role: .windowExternalDisplay, SilentDelegate.init),
      ])
    try await stage.play { application in
      let session = try await application.activateSceneSession(
        for: .init(role: .windowExternalDisplay, userActivity: .titled("", shows: "doc")))
      #expect(session.id == .number(2))
      #expect(session.role == .windowExternalDisplay)
    }
  }

  @Test func `a scene that takes no input comes to the front inactive`()
    async throws
  {
    let stage = Stage()
    try await stage.play { application in
      // The manifest has no such role: the scene has no delegate.
      let session = try await application.activateSceneSession(
        for: .init(role: .windowExternalDisplayNonInteractive))
      #expect(application.scene(for: session.id)?.activationState == .foregroundInactive)
      try await application.host.perform(.resume(session.id))
      #expect(application.scene(for: session.id)?.activationState == .foregroundInactive)
      #expect(application.applicationState == .inactive)
    }
  }

  // MARK: - Refusals

  @Test func `the numbers of the codes are UIKit's`() {
    #expect(SceneError.Code.multipleScenesNotSupported.uiKitCode == 0)
    #expect(SceneError.Code.sessionNotOpen.uiKitCode == 1)
    #expect(SceneError.Code.notInBackground.uiKitCode == nil)
  }

  @Test func `a single-scene application has one session`() async throws {
    let stage = Stage(isSingle: true)
    try await stage.play { application in
      #expect(!application.supportsMultipleScenes)
      let session = try await application.activateSceneSession()
      _ = stage.log.take()
      let code = await SceneError.code { () throws(SceneError) in
        try await application.activateSceneSession()
      }
      #expect(code == .multipleScenesNotSupported)
      let window = await SceneError.code { () throws(SceneError) in
        try await application.host.newSession()
      }
      #expect(window == .multipleScenesNotSupported)
      // Nothing else happens on an error (R-ACTV-1).
      #expect(stage.log.take() == [])
      #expect(Array(application.openSessions) == [session])
      // Naming the one session is no second one.
      try await application.activateSceneSession(for: .init(session: session))
    }
  }

  /// The error comes before any predicate is asked.
  @Test func `a single-scene application refuses a request without a session, whatever it prefers`()
    async throws
  {
    let store = InMemorySessionStore([.number(1, conditions: .init(prefers: .true))])
    let stage = Stage(store: store, isSingle: true)
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try await application.activateSceneSession(
          for: .init(userActivity: .titled("", shows: "doc")))
      }
      #expect(code == .multipleScenesNotSupported)
    }
  }

  @Test func `a session that is not open cannot be activated`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.activateSceneSession()
      try await application.requestSceneSessionDestruction(session.id)
      for gone in [session.id, .number(99)] {
        let code = await SceneError.code { () throws(SceneError) in
          try await application.activateSceneSession(for: .init(session: gone))
        }
        #expect(code == .sessionNotOpen)
      }
    }
  }

  @Test func `the host's quota denies a new session, but no existing one`() async throws {
    let stage = Stage { $0.sessionQuota = 2 }
    try await stage.play { application in
      let first = try await application.activateSceneSession()
      try await application.activateSceneSession()
      let code = await SceneError.code { () throws(SceneError) in
        try await application.activateSceneSession()
      }
      #expect(code == .quotaReached)
      try await application.requestSceneSessionDestruction(first.id)
      try await application.activateSceneSession()
      #expect(application.openSessions.count == 2)
    }
  }

  @Test func `a refused submission reports its error before it returns`() async throws {
    let stage = Stage()
    try await stage.play { application in
      application.submit(.activate(.init(session: .number(99)))) { error in
        stage.log.append("\(error.code) \(error.session?.label ?? "")")
      }
      stage.log.append("returned")
      #expect(stage.log.take() == ["sessionNotOpen S99", "returned"])
    }
  }

  @Test func `too many unfinished requests are refused, except those that free resources`()
    async throws
  {
    let held = HeldExecutor()
    let stage = Stage {
      $0.useOneShard(on: held)
      $0.requestLimit = 2
    }
    try await stage.play { application in
      let session = try await application.activateSceneSession()
      await application.settle()
      _ = stage.log.take()
      held.hold()
      for _ in 0..<3 {
        application.submit(.activate(.init())) { stage.log.append("\($0.code)") }
      }
      application.host.submit(.background(session.id)) { stage.log.append("\($0.code)") }
      application.submit(.destroy(session.id)) { stage.log.append("\($0.code)") }
      #expect(stage.log.take() == ["systemBusy"])
      held.letGo()
      await application.settle()
      #expect(application.openSessions.map(\.id.label).sorted() == ["S2", "S3"])
    }
  }
}
