// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import ProsceniumSimulation
import Testing

/// What becomes of all that depends on a scene that takes too long to restore its state
/// (R-EXT-1).
@Suite(.timeLimit(.minutes(10))) struct NewcomerTimeoutTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  /// One session, and the first scene of the second one is never done.
  private struct Play: Sendable {
    let stage: Stage
    let clock = ManualClock()
    let store: InMemorySessionStore

    var application: Application { stage.application }

    init(stored: ClosedRange<UInt64> = 1...1, delegate: ApplicationScript? = nil) {
      let store = InMemorySessionStore(stored.map { .number($0) })
      let clock = clock
      let isFirst = Leased([true, false])
      self.store = store
      stage = Stage(
        ["S2.willConnect": { if isFirst.next() { $0.extendStateRestoration() } }], store: store,
        delegate: delegate
      ) {
        $0.clock = clock
        $0.shards = 1
        $0.foregroundCapacity = 1
        $0.identifiers = .counted(from: stored.upperBound + 1)
      }
    }

    func callAsFunction(_ body: @Sendable (Application) async throws -> Void) async throws {
      try await stage.play { application in
        try await application.host.perform(.open(one))
        _ = stage.log.take()
        try await body(application)
      }
    }

    func letTimePass() async {
      await application.settle()
      clock.advance(by: .seconds(10))
      await application.settle()
    }
  }

  @Test func `a new session stays, and its next scene is configured as its first one`()
    async throws
  {
    let play = Play(
      delegate: ApplicationScript(choose: { _, session, _ in session.configuration }))
    try await play { application in
      application.host.submit(.newSession()) { play.stage.log.append("\($0.code)") }
      await play.letTimePass()
      #expect(
        play.stage.log.take() == [
          "app.configuration(S2)", "S1.willResignActive A", "S2.willConnect U",
          "restorationTimedOut", "S2.didDisconnect U", "S1.didEnterBackground B", "S1.capture B",
        ])
      #expect(play.store.sessions.map(\.persistentIdentifier.label) == ["S1", "S2"])
      #expect(application.session(Self.two)?.configuration.name == "Main")
      try await application.host.perform(.open(Self.two))
      #expect(play.stage.log.take().first == "S2.willConnect U")
      #expect(application.disagreements == [])
    }
  }

  @Test func `a victim that is closed in between ends when it has given way`() async throws {
    let play = Play(stored: 1...2, delegate: ApplicationScript())
    try await play { application in
      application.host.submit(.open(Self.two))
      application.host.submit(.close(Self.one))
      await play.letTimePass()
      #expect(
        play.stage.log.take() == [
          "S1.willResignActive A", "S2.willConnect U", "S2.didDisconnect U",
          "S1.didEnterBackground B", "S1.capture B", "S1.didDisconnect U", "app.didDiscard(S1)",
        ])
      #expect(application.disagreements == [])
    }
  }

  @Test func `a newcomer that is closed in between is discarded after it was given up`()
    async throws
  {
    let play = Play(stored: 1...2, delegate: ApplicationScript())
    let events = play.application.lifecycleEvents()
    try await play { application in
      application.host.submit(.open(Self.two))
      application.host.submit(.close(Self.two))
      await play.letTimePass()
      #expect(application.openSessions.map(\.id) == [Self.one])
      #expect(application.scene(for: Self.one)?.activationState == .background)
      #expect(application.disagreements == [])
    }
    let ends = await events.lines.filter { $0.hasPrefix("S2 dis") }
    #expect(ends.map { $0.prefix(15) } == ["S2 disconnected", "S2 discarded: d"])
    #expect(ends.first == "S2 disconnected: restorationTimedOut")
  }

  @Test func `a third one that waits for the place gets it`() async throws {
    let play = Play(stored: 1...3)
    try await play { application in
      application.host.submit(.open(Self.two))
      application.host.submit(.open(.number(3)))
      await play.letTimePass()
      #expect(application.scene(for: .number(3))?.activationState == .foregroundActive)
      #expect(application.scene(for: Self.one)?.activationState == .background)
      #expect(application.disagreements == [])
    }
  }

  @Test func `an activity that comes in between is the next scene's, once`() async throws {
    let play = Play(stored: 1...2)
    try await play { application in
      application.host.submit(.open(Self.two))
      application.submit(.activate(.init(session: Self.two, userActivity: .titled("letter"))))
      await play.letTimePass()
      #expect(
        play.stage.log.take().filter { $0.contains("letter") } == ["S2.willConnect(letter) U"])
      #expect(application.scene(for: Self.two)?.activationState == .foregroundActive)
      #expect(application.disagreements == [])
    }
  }

  @Test func `the data of an activity that its scene was told of is lost, and it is said`()
    async throws
  {
    let play = Play(stored: 1...2)
    let events = play.application.lifecycleEvents()
    try await play { application in
      try await application.host.perform(.background(Self.one))
      try await application.updateSession(Self.one) { $0.activationConditions = .init(can: .false) }
      application.submit(.deliver(.handoff(activityType: "read", targetContentIdentifier: "doc")))
      application.submit(.continueHandoff("read", .titled("letter")))
      await play.letTimePass()
      #expect(application.disagreements == [])
    }
    #expect(await events.lines.filter { $0.contains("lost") } == ["S2 lost handoff letter"])
  }

  @Test func `a user who leaves in between waits no longer than the time`() async throws {
    let play = Play(stored: 1...2)
    try await play { application in
      application.host.submit(.open(Self.two))
      application.host.submit(.backgroundAll)
      await play.letTimePass()
      #expect(application.applicationState == .background)
      #expect(application.disagreements == [])
      #expect(application.connectedSceneCount == 1)
    }
  }
}
