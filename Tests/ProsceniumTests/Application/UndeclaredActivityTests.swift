// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// Activities whose type the manifest does not declare (R-SR-5, R-DD-1).
@Suite struct UndeclaredActivityTests {
  private static let one = SessionIdentifier.number(1)

  /// A stage whose scenes capture an activity of a type that is declared, or one that is not.
  private static func stage(
    isDeclared: Bool, store: InMemorySessionStore, delegate: ApplicationScript? = nil
  ) -> Stage {
    Stage(
      ["S1.didReceive": { $0.title = "Letters" }], capturing: "draft", store: store,
      delegate: delegate, activityTypes: isDeclared ? ["other", "test.activity"] : ["other"])
  }

  private static func saved(_ store: InMemorySessionStore) -> [String?] {
    store.sessions.map(\.stateRestorationActivity?.title)
  }

  private static func diagnosed(_ events: AsyncStream<LifecycleEvent>) async -> [Diagnostic] {
    await events.reduce(into: []) { all, event in
      if case .diagnosed(let diagnostic) = event.kind { all.append(diagnostic) }
    }
  }

  @Test(arguments: [false, true])
  func `the session has what was captured, the store only if it is declared`(
    isDeclared: Bool
  ) async throws {
    let store = InMemorySessionStore()
    let stage = Self.stage(isDeclared: isDeclared, store: store)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      #expect(application.session(session.id)?.stateRestorationActivity == .titled("draft"))
      #expect(Self.saved(store) == [isDeclared ? "draft" : nil])
      // What the session changes later does not bring it to the store.
      try application.send("change", to: session.id)
      await application.settle()
      #expect(store.sessions.map(\.title) == ["Letters"])
      #expect(Self.saved(store) == [isDeclared ? "draft" : nil])
      try await application.host.perform(.disconnect(session.id))
      _ = stage.log.take()
      try await application.host.perform(.connect(session.id))
      #expect(stage.log.take().last == "S1.restoreInteractionState(draft) B")
    }
    #expect(
      await Self.diagnosed(events) == (isDeclared ? [] : [.undeclaredActivityType("test.activity")])
    )
  }

  @Test func `it takes the place of one that was saved before`() async throws {
    let store = InMemorySessionStore([.number(1, state: "old")])
    try await Self.stage(isDeclared: false, store: store).play { application in
      try await application.requestSceneSessionRefresh(Self.one)
    }
    #expect(Self.saved(store) == [nil])
  }

  @Test(arguments: [false, true])
  func `one that the program sets is kept by the same rule`(isConnected: Bool) async throws {
    let store = InMemorySessionStore([.number(1)])
    let stage = Self.stage(isDeclared: false, store: store)
    try await stage.play { application in
      if isConnected { try await application.host.perform(.connect(Self.one)) }
      let session = try await application.updateSession(Self.one) { session in
        session.stateRestorationActivity = .titled("set")
        session.title = "Letters"
      }
      #expect(session.stateRestorationActivity == .titled("set"))
      #expect(store.sessions.map(\.title) == ["Letters"])
      #expect(Self.saved(store) == [nil])
    }
  }

  @Test func `a manifest that declares nothing keeps all, one with an empty list none`()
    async throws
  {
    for types in [nil, []] as [[String]?] {
      let store = InMemorySessionStore([.number(1)])
      let stage = Stage(capturing: "draft", store: store, activityTypes: types)
      try await stage.play { try await $0.requestSceneSessionRefresh(Self.one) }
      #expect(Self.saved(store) == [types == nil ? "draft" : nil])
    }
  }

  // MARK: - What users drop

  @Test func `a drop of it opens nothing (R-DD-1)`() async throws {
    let script = ApplicationScript(choose: { _, session, _ in session.configuration })
    let stage = Self.stage(isDeclared: false, store: InMemorySessionStore(), delegate: script)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      _ = stage.log.take()
      let session = try await application.host.drop(.titled("letter"))
      #expect(session == nil)
      application.host.submit(.drop(.titled("letter"))) { _ in stage.log.append("failed") }
      await application.settle()
      #expect(stage.log.take() == [])
      #expect(application.openSessions.isEmpty)
    }
    let undeclared = Diagnostic.undeclaredActivityType("test.activity")
    #expect(await Self.diagnosed(events) == [undeclared, undeclared])
  }

  @Test func `a drop of a declared one always opens a new session (R-DD-2)`() async throws {
    let store = InMemorySessionStore([.number(9, conditions: .init(prefers: .true))])
    let stage = Self.stage(isDeclared: true, store: store)
    try await stage.play { application in
      let session = try await application.host.drop(.titled("letter", shows: "doc"))
      #expect(session?.id == Self.one)
      #expect(stage.log.take().first == "S1.willConnect(letter) U")
    }
  }

  @Test func `a URL needs no declaration`() async throws {
    let stage = Self.stage(isDeclared: false, store: InMemorySessionStore())
    try await stage.play { application in
      let session = try await application.host.drop(OpenURLContext("doc"))
      #expect(session.id == Self.one)
    }
  }

  @Test func `an event of an undeclared type is delivered all the same`() async throws {
    let stage = Self.stage(isDeclared: false, store: InMemorySessionStore())
    try await stage.play { application in
      try await application.deliver(.activity(.titled("letter")))
      #expect(stage.log.take().first == "S1.willConnect(letter) U")
    }
  }
}
