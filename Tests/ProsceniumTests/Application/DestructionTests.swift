// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// SEQ-DESTROY and the discard (semantics#destruction-and-discard).
@Suite struct DestructionTests {
  /// A way to a state, and what the end is like from there.
  struct End: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let prepare: @Sendable (ApplicationHost) async throws -> Void
    let calls: [String]
  }

  private static let one = SessionIdentifier.number(1)

  static let ends = [
    End(testDescription: "archived", prepare: { _ in }, calls: []),
    End(
      testDescription: "background",
      prepare: { host in
        try await host.perform(.open(one))
        try await host.perform(.background(one))
      }, calls: ["S1.didDisconnect U"]),
    End(
      testDescription: "inactive",
      prepare: { host in
        try await host.perform(.open(one))
        try await host.perform(.interrupt(one))
      }, calls: ["S1.didDisconnect U"]),
    End(
      testDescription: "active", prepare: { host in try await host.perform(.open(one)) },
      calls: ["S1.willResignActive A", "S1.didDisconnect U"]),
  ]

  @Test(arguments: ends)
  func `the scene disconnects, then the discard is told (R-DST-1, R-DST-2)`(
    end: End
  ) async throws {
    let store = InMemorySessionStore([.number(1, state: "draft"), .number(2)])
    let stage = Stage(store: store, delegate: ApplicationScript())
    try await stage.play { application in
      try await end.prepare(application.host)
      _ = stage.log.take()
      try await application.requestSceneSessionDestruction(Self.one)
      // No didEnterBackground and no capture, whatever the state was.
      #expect(stage.log.take() == end.calls + ["app.didDiscard(S1)"])
      #expect(application.openSessions.map(\.id.label) == ["S2"])
      #expect(application.connectedScenes.isEmpty)
      #expect(application.applicationState == .background)
      #expect(store.sessions.map(\.persistentIdentifier.label) == ["S2"])
    }
  }

  @Test func `inside the discard the session can still be read, but is not open (R-DST-3)`()
    async throws
  {
    let log = CallLog()
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let script = ApplicationScript(onDiscard: { application, sessions in
      log.append("titles: \(sessions.map { $0.stateRestorationActivity?.title ?? "" })")
      log.append("open: \(application.openSessions.count)")
      log.append("connected: \(application.connectedScenes.count)")
      log.append("found: \(application.session(.number(1)) != nil)")
      log.append("stored: \(store.sessions.count)")
    })
    let stage = Stage(log: log, store: store, delegate: script)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      _ = log.take()
      try await application.host.perform(.close(Self.one))
      #expect(
        log.take().dropFirst(2) == [
          "app.didDiscard(S1)", #"titles: ["draft"]"#, "open: 0", "connected: 0",
          "found: false", "stored: 1",
        ])
      #expect(store.sessions.isEmpty)
    }
  }

  @Test func `what was discarded while nothing ran is told at the next launch (R-DST-4)`()
    async throws
  {
    let log = CallLog()
    let store = InMemorySessionStore([
      .number(1, state: "a"), .number(2, state: "b"), .number(3),
    ])
    store.discardWhileNotRunning(.number(1))
    store.discardWhileNotRunning(.number(2))
    store.discardWhileNotRunning(.number(99))
    let script = ApplicationScript(onDiscard: { _, sessions in
      log.append("titles: \(sessions.map { $0.stateRestorationActivity?.title ?? "" })")
    })
    let stage = Stage(log: log, store: store, delegate: script)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      #expect(
        log.take().dropFirst(2) == ["app.didDiscard(S1, S2)", #"titles: ["a", "b"]"#])
      #expect(application.openSessions.map(\.id.label) == ["S3"])
    }
    #expect(
      await events.lines == ["S1 discarded: whileNotRunning", "S2 discarded: whileNotRunning"])
    let again = Stage(store: store, delegate: ApplicationScript())
    try await again.play { _ in
      #expect(again.log.take() == ["app.willFinishLaunching", "app.didFinishLaunching"])
    }
  }

  @Test func `afterwards the identifier names nothing (R-DST-7)`() async throws {
    let stage = Stage(delegate: ApplicationScript())
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.requestSceneSessionDestruction(session.id)
      _ = stage.log.take()
      let codes = [
        await SceneError.code { () throws(SceneError) in
          try await application.requestSceneSessionDestruction(session.id)
        },
        await SceneError.code { () throws(SceneError) in
          try await application.host.perform(.open(session.id))
        },
        await SceneError.code { () throws(SceneError) in
          try application.send("hello", to: session.id)
        },
        await SceneError.code { () throws(SceneError) in
          try await application.call("hello", to: session.id)
        },
      ]
      #expect(codes == Array(repeating: .sessionNotOpen, count: 4))
      try await application.requestSceneSessionRefresh(session.id)
      #expect(application.session(session.id) == nil)
      #expect(application.scene(for: session.id) == nil)
      #expect(stage.log.take() == [])
    }
  }

  @Test func `a source that repeats an identifier is asked again while it is in use`()
    async throws
  {
    let numbers = Leased<SessionIdentifier>([.number(1), .number(1), .number(2)])
    let stage = Stage { $0.identifiers = SessionIdentifierSource { numbers.next() } }
    try await stage.play { application in
      let first = try await application.host.newSession()
      let second = try await application.host.newSession()
      #expect([first, second].map(\.id.label) == ["S1", "S2"])
    }
  }

  @Test func `the only session of a single-scene application is its user's to close (1.14)`()
    async throws
  {
    let stage = Stage(delegate: ApplicationScript(), isSingle: true)
    try await stage.play { application in
      let session = try await application.host.newSession()
      _ = stage.log.take()
      let code = await SceneError.code { () throws(SceneError) in
        try await application.requestSceneSessionDestruction(session.id)
      }
      #expect(code == .onlySession)
      #expect(stage.log.take() == [])
      #expect(Array(application.openSessions) == [session])
      try await application.host.perform(.close(session.id))
      #expect(application.openSessions.isEmpty)
    }
  }

  @Test func `the reason that was given is reported`() async throws {
    let stage = Stage()
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      for animation in [.standard, .commit, .decline]
        as [Scene.DestructionReason]
      {
        let session = try await application.host.newSession()
        try await application.requestSceneSessionDestruction(
          session.id, reason: animation)
      }
    }
    #expect(
      await events.lines.filter { $0.contains("disca") || $0.contains("disconnected") } == [
        "S1 disconnected: dismissed(\(name).standard)", "S1 discarded: dismissed(\(name).standard)",
        "S2 disconnected: dismissed(\(name).commit)", "S2 discarded: dismissed(\(name).commit)",
        "S3 disconnected: dismissed(\(name).decline)", "S3 discarded: dismissed(\(name).decline)",
      ])
  }

  private var name: String { "Proscenium.SceneDestructionReason" }

  /// One pass of the shard opens and ends it; no observer may see the one without the other.
  @Test(arguments: [false, true])
  func `a session that was opened and destroyed at once leaves nothing in the store`(
    hasDelegate: Bool
  ) async throws {
    let held = HeldExecutor()
    let store = InMemorySessionStore()
    let stage = Stage(store: store, delegate: hasDelegate ? ApplicationScript() : nil) {
      $0.useOneShard(on: held)
    }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.host.submit(.newSession())
      application.host.submit(.close(Self.one))
      held.letGo()
      await application.settle()
      #expect(stage.log.take().contains("S1.didDisconnect U"))
      #expect(store.sessions == [])
      #expect(application.openSessions.isEmpty)
    }
    #expect(store.sessions == [])
  }

  @Test func `a new session never gets what its slot held before`() async throws {
    let stage = Stage(
      ["S1.willConnect": { $0.title = "one" }], capturing: "draft",
      settings: { $0.shards = 1 })
    try await stage.play { application in
      let first = try await application.host.newSession(group: "ann")
      try await application.host.perform(.background(first.id))
      try await application.host.perform(.close(first.id))
      let second = try await application.host.newSession()
      #expect(second.id == .number(2))
      #expect(second.title == nil)
      #expect(second.group == nil)
      #expect(second.stateRestorationActivity == nil)
    }
  }
}
