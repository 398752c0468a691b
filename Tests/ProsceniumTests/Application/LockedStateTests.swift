// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Sessions that are loaded while protected data is not available (R-SR-6).
@Suite(.timeLimit(.minutes(10))) struct LockedStateTests {
  private static let one = SessionIdentifier.number(1)

  /// A stage that is launched locked, with one session whose state is `draft`.
  private static func stage(
    _ script: Script = [:], capturing state: String? = nil, store: InMemorySessionStore
  ) -> Stage {
    let stage = Stage(script, capturing: state, store: store)
    stage.application.host.lock()
    return stage
  }

  private static func saved(_ store: InMemorySessionStore) -> [String?] {
    store.sessions.map(\.stateRestorationActivity?.title)
  }

  private static func state(_ application: Application) -> String? {
    application.session(one)?.stateRestorationActivity?.title
  }

  @Test func `no state is seen before the unlock, of which no delegate is told`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft"), .number(2, state: "other")])
    let log = CallLog()
    let stage = Stage(
      log: log,
      ["S1.didReceive": { log.append($0.session.stateRestorationActivity?.title ?? "nothing") }],
      store: store)
    stage.application.host.lock()
    try await stage.play { application in
      try application.send("look", to: Self.one)
      await application.settle()
      #expect(log.take() == ["S1.willConnect U", "S1.didReceive(look) B", "nothing"])
      #expect(Self.state(application) == nil)
      await application.host.unlock()
      #expect(log.take() == [])
      #expect(Self.state(application) == "draft")
      #expect(application.session(.number(2))?.stateRestorationActivity?.title == "other")
      try application.send("look", to: Self.one)
      await application.settle()
      #expect(log.take().last == "draft")
    }
    #expect(Self.saved(store) == ["draft", "other"])
  }

  @Test func `a capture that has nothing to say leaves what is withheld`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Self.stage(capturing: nil, store: store)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.background(Self.one))
      #expect(Self.saved(store) == ["draft"])
      await application.host.unlock()
      #expect(Self.state(application) == "draft")
    }
  }

  @Test func `what is set in between does not write over what is withheld`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Self.stage(
      ["S1.didReceive": { $0.userInfo = ["key": .integer(7)] }], store: store)
    try await stage.play { application in
      try application.send("set", to: Self.one)
      await application.settle()
      #expect(Self.saved(store) == ["draft"])
      #expect(store.sessions.map { $0.userInfo?["key"] } == [.integer(7)])
      #expect(Self.state(application) == nil)
      await application.host.unlock()
      #expect(Self.state(application) == "draft")
    }
    #expect(Self.saved(store) == ["draft"])
  }

  @Test func `what was missed at the connection is not restored later, but by the next scene`()
    async throws
  {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Self.stage(capturing: nil, store: store)
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      await application.host.unlock()
      try await application.host.perform(.open(Self.one))
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
    let other = Self.stage(store: InMemorySessionStore([.number(1, state: "draft")]))
    try await other.play { application in
      try await application.host.perform(.connect(Self.one))
      try await application.host.perform(.disconnect(Self.one))
      await application.host.unlock()
      try await application.host.perform(.connect(Self.one))
      #expect(other.log.take().last == "S1.restoreInteractionState(draft) B")
    }
  }

  @Test func `what the scene changes in between leaves the saved state in the store`()
    async throws
  {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Self.stage(["S1.willConnect": { $0.title = "Letters" }], store: store)
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      #expect(store.sessions.map(\.title) == ["Letters"])
      #expect(Self.saved(store) == ["draft"])
      try await application.updateSession(Self.one) { $0.userInfo = ["zoom": 2] }
      #expect(Self.saved(store) == ["draft"])
      try await application.host.perform(.disconnect(Self.one))
    }
    #expect(Self.saved(store) == ["draft"])
  }

  @Test func `an own capture takes its place, for good`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Self.stage(capturing: "new", store: store)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.background(Self.one))
      #expect(Self.state(application) == "new")
      #expect(Self.saved(store) == ["new"])
      await application.host.unlock()
      #expect(Self.state(application) == "new")
    }
    #expect(Self.saved(store) == ["new"])
  }

  @Test func `so does a state that the program sets`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Self.stage(store: store)
    try await stage.play { application in
      try await application.updateSession(Self.one) { session in
        session.stateRestorationActivity = .titled("new")
      }
      await application.host.unlock()
      #expect(Self.state(application) == "new")
    }
    #expect(Self.saved(store) == ["new"])
  }

  @Test func `a process that is killed locked leaves the state where it was`() async throws {
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Self.stage(["S1.willConnect": { $0.title = "Letters" }], store: store)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      application.process.abandon()
    }
    #expect(Self.saved(store) == ["draft"])
    try await Stage(store: store).play { application in
      #expect(Self.state(application) == "draft")
    }
  }

  @Test func `sessions that are opened in between, or have no state, are not concerned`()
    async throws
  {
    let store = InMemorySessionStore([.number(1)])
    let stage = Stage(capturing: "new", store: store) { $0.identifiers = .counted(from: 2) }
    stage.application.host.lock()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      #expect(application.session(session.id)?.stateRestorationActivity?.title == "new")
      await application.host.unlock()
      #expect(Self.state(application) == nil)
    }
  }

  @Test func `a device that is unlocked before the launch withholds nothing`() async throws {
    let stage = Self.stage(store: InMemorySessionStore([.number(1, state: "draft")]))
    await stage.application.host.unlock()
    try await stage.play { application in
      #expect(Self.state(application) == "draft")
    }
  }

  @Test func `a lock while it runs withholds nothing that was loaded`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1, state: "draft")]))
    try await stage.play { application in
      application.host.lock()
      try await application.host.perform(.connect(Self.one))
      #expect(stage.log.take().last == "S1.restoreInteractionState(draft) B")
    }
  }
}
