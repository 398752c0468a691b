// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// Which session an event is routed to, and how it gets there (semantics#routing-candidates,
/// semantics#routing-decision, semantics#delivery).
@Suite struct EventTests {
  private static let doc = ContentPredicate.equals("doc")

  /// Stored sessions that are activated in turn: then they are in the background, but for those
  /// that the test leaves in the foreground.
  private static func deliver(
    _ identifier: String? = "doc", to stored: [StoredSession], opening: [UInt64] = [],
    isSingle: Bool = false, source: UInt64? = nil
  ) async throws -> String {
    let stage = Stage(store: InMemorySessionStore(stored), isSingle: isSingle) {
      $0.identifiers = .counted(from: 10)
    }
    let log = CallLog()
    try await stage.play { application in
      for number in opening {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      let session = try await application.deliver(
        .activity(.titled("letter", shows: identifier)),
        source: source.map { .number($0) })
      #expect(application.scene(for: session.id)?.activationState == .foregroundActive)
      log.append(session.id.label)
    }
    return try #require(log.lines.first)
  }

  // MARK: - The decision, rule by rule

  @Test func `1: a single-scene application has one session, whatever its conditions`()
    async throws
  {
    let stored = [StoredSession.number(1, conditions: .init(can: .false))]
    #expect(try await Self.deliver(to: stored, isSingle: true) == "S1")
    #expect(try await Self.deliver(to: [], isSingle: true) == "S10")
  }

  @Test func `2: without an identifier the most recently active session is chosen`() async throws {
    let stored = [
      StoredSession.number(1, lastActivated: 2), .number(2, lastActivated: 3),
      .number(3, lastActivated: 1, conditions: .init(prefers: .true)),
    ]
    #expect(try await Self.deliver(nil, to: stored) == "S2")
    #expect(try await Self.deliver(nil, to: []) == "S10")
  }

  @Test func `3: a session that prefers the content is chosen before those who can show it`()
    async throws
  {
    let stored = [
      StoredSession.number(1, lastActivated: 9),
      .number(2, conditions: .init(prefers: Self.doc)),
    ]
    #expect(try await Self.deliver(to: stored, opening: [1]) == "S2")
  }

  @Test func `3: to prefer is enough, even for one that cannot (R-RT-3)`() async throws {
    let stored = [
      StoredSession.number(1), .number(2, conditions: .init(can: .false, prefers: Self.doc)),
    ]
    #expect(try await Self.deliver(to: stored) == "S2")
  }

  @Test func `4: a session that can show the content is chosen before a new one`() async throws {
    let stored = [
      StoredSession.number(1, lastActivated: 9, conditions: .init(can: .false)),
      .number(2, conditions: .init(can: Self.doc)),
    ]
    #expect(try await Self.deliver(to: stored) == "S2")
  }

  @Test func `5: content that no session can show opens a new session`() async throws {
    let stored = [
      StoredSession.number(1, conditions: .init(can: .false)),
      .number(2, conditions: .init(can: .equals("other"))),
    ]
    #expect(try await Self.deliver(to: stored) == "S10")
  }

  @Test func `6: if there cannot be a new one, the most recently active is chosen`() async throws {
    let none = SceneActivationConditions(can: .false)
    let stored = [
      StoredSession.number(1, lastActivated: 1, conditions: none),
      .number(2, lastActivated: 2, conditions: none),
    ]
    let log = CallLog()
    let stage = Stage(
      log: log, store: InMemorySessionStore(stored), logger: DiagnosticsLog.logger(log)
    ) { $0.sessionQuota = 2 }
    try await stage.play { application in
      _ = log.take()
      try await application.deliver(.activity(.titled("letter", shows: "doc")))
      #expect(
        log.take() == [
          "notice: forcedRoute", "S2.willConnect(letter) U", "S2.willEnterForeground B",
          "S2.didBecomeActive A",
        ])
    }
  }

  @Test func `sessions of other roles are no candidates (R-RT-2)`() async throws {
    let stored = [
      StoredSession.number(1, conditions: .init(prefers: .true), role: .windowExternalDisplay)
    ]
    #expect(try await Self.deliver(to: stored) == "S10")
  }

  // MARK: - Ties (R-RT-6)

  @Test func `a: the source is chosen among equals`() async throws {
    let stored = [StoredSession.number(1, lastActivated: 9), .number(2)]
    #expect(try await Self.deliver(to: stored, opening: [1], source: 2) == "S2")
  }

  @Test func `a: a source that is no candidate does not count`() async throws {
    let stored = [StoredSession.number(1), .number(2, conditions: .init(can: .false))]
    #expect(try await Self.deliver(to: stored, source: 2) == "S1")
    #expect(try await Self.deliver(to: stored, source: 99) == "S1")
  }

  @Test func `b: active before inactive before background before archived`() async throws {
    let stored = (1...4).map { StoredSession.number($0, lastActivated: $0) }
    let stage = Stage(store: InMemorySessionStore(stored))
    try await stage.play { application in
      // Each of the first three was active later than the one before it: only the states count.
      let sessions = (1...4).map { SessionIdentifier.number($0) }
      for session in sessions.prefix(3) { try await application.host.perform(.open(session)) }
      try await application.host.perform(.interrupt(sessions[1]))
      try await application.host.perform(.background(sessions[2]))
      for label in ["S1", "S2", "S3", "S4"] {
        let chosen = try await application.deliver(.activity(.titled("", shows: "doc")))
        #expect(chosen.id.label == label)
        try await application.requestSceneSessionDestruction(chosen.id)
      }
    }
  }

  @Test func `c: the one that was active last`() async throws {
    let stored = (1...3).map { StoredSession.number($0, lastActivated: $0 % 3) }
    #expect(try await Self.deliver(to: stored) == "S2")
    #expect(try await Self.deliver(to: stored, opening: [3, 2, 1]) == "S1")
  }

  @Test func `d: the smaller identifier`() async throws {
    let stored = [3, 1, 2].map { StoredSession.number($0) }
    #expect(try await Self.deliver(to: stored) == "S1")
  }

  // MARK: - Delivery (semantics#delivery)

  private static func script(_ conditions: SceneActivationConditions) -> Script {
    ["S1.willConnect": { $0.activationConditions = conditions }]
  }

  @Test func `a new session finds the event in its options, and there alone (R-CON-2)`()
    async throws
  {
    let stage = Stage()
    try await stage.play { application in
      try await application.deliver(.activity(.titled("letter", shows: "doc")))
      #expect(
        stage.log.take() == [
          "S1.willConnect(letter) U", "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `an archived session finds it in its options, and there alone (R-CON-2)`()
    async throws
  {
    let stage = Stage(store: InMemorySessionStore([.number(1, state: "draft")]))
    try await stage.play { application in
      try await application.deliver(.activity(.titled("letter", shows: "doc")))
      #expect(
        stage.log.take() == [
          "S1.willConnect(letter) U", "S1.restoreInteractionState(draft) B",
          "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `a connected scene gets it before it is active, in state I (R-FG-3)`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      _ = stage.log.take()
      try await application.deliver(.activity(.titled("a", shows: "doc")))
      try await application.deliver(.activity(.titled("b", shows: "doc")))
      #expect(
        stage.log.take() == [
          "S1.willEnterForeground B", "S1.continue(a) I", "S1.didBecomeActive A",
          "S1.continue(b) A",
        ])
    }
  }

  @Test func `conditions that a callback sets count when it has returned`() async throws {
    let stage = Stage(Self.script(.init(can: .false)))
    try await stage.play { application in
      try await application.host.newSession()
      let other = try await application.deliver(.activity(.titled("", shows: "doc")))
      #expect(other.id == .number(2))
    }
  }

  @Test func `conditions outlive the scene (R-RT-1)`() async throws {
    let store = InMemorySessionStore()
    let conditions = SceneActivationConditions(can: .false, prefers: Self.doc)
    try await Stage(Self.script(conditions), store: store).play { application in
      try await application.host.newSession()
    }
    let relaunch = Stage(store: store)
    try await relaunch.play { application in
      #expect(application.openSessions.first?.activationConditions == conditions)
      let session = try await application.deliver(.activity(.titled("", shows: "doc")))
      #expect(session.id == .number(1))
    }
  }

  @Test func `initial conditions count from the admission on`() async throws {
    let log = CallLog()
    let configuration = SceneConfiguration(
      "Main",
      initialConditions: { options in
        let shown = options.userActivities.first?.targetContentIdentifier ?? ""
        return SceneActivationConditions(
          can: .false, prefers: (try? .equals(shown)) ?? .false)
      }
    ) { ScriptedDelegate(log) }
    let stage = Stage(log: log, manifest: [configuration])
    let application = stage.application
    // Both are admitted before any scene can say anything.
    for title in ["a", "b"] {
      application.submit(.deliver(.activity(.titled(title, shows: "doc-\(title)"))))
      application.submit(.deliver(.activity(.titled("more \(title)", shows: "doc-\(title)"))))
    }
    try await stage.play { application in
      await application.settle()
      #expect(
        log.take().filter { $0.contains("(") }.sorted() == [
          "S1.continue(more a) A", "S1.willConnect(a) U", "S2.continue(more b) A",
          "S2.willConnect(b) U",
        ])
    }
  }

  @Test func `a delegate that continues nothing leaves the event unhandled (R-LEG-3)`()
    async throws
  {
    let stage = Stage(manifest: [SceneConfiguration("Main", SilentDelegate.init)])
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      try await application.host.newSession()
      try await application.deliver(.activity(.titled("letter", shows: "doc")))
    }
    #expect(await events.lines.filter { $0.hasSuffix("unhandledEvent") } == ["S1 unhandledEvent"])
  }
}
