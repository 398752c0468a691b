// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

/// What UIKit posts about the application follows the state of all scenes together (R-AGG-1), and
/// what it posts about the scene (R-FG-2).
@Suite struct ApplicationNotificationTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  /// Two archived sessions, and everything that is posted.
  private struct Play: Sendable {
    let posts = CallLog()
    let stage: Stage

    init(_ script: Script = [:], capacity: Int? = nil, shards: Int = 1) {
      let posts = posts
      stage = Stage(script, store: InMemorySessionStore([.number(1), .number(2)])) {
        $0.foregroundCapacity = capacity
        $0.shards = shards
        $0.observer = { event in event.posted.map(posts.append) }
      }
    }

    func callAsFunction(
      _ body: @Sendable (ApplicationHost, CallLog) async throws -> Void
    ) async throws {
      try await stage.play { application in
        _ = posts.take()
        try await body(application.host, posts)
      }
    }
  }

  @Test func `the first scene brings the application along, the last one takes it away`()
    async throws
  {
    try await Play(shards: 64) { host, posts in
      try await host.perform(.open(Self.one))
      #expect(
        posts.take() == [
          "S1 willConnect", "S1 willEnterForeground", "app willEnterForeground",
          "S1 didActivate", "app didBecomeActive",
        ])
      try await host.perform(.open(Self.two))
      try await host.perform(.background(Self.one))
      #expect(!posts.take().contains { $0.hasPrefix("app") })
      try await host.perform(.background(Self.two))
      #expect(
        posts.take() == [
          "S2 willDeactivate", "app willResignActive", "S2 didEnterBackground",
          "app didEnterBackground",
        ])
    }
  }

  @Test func `an interruption of one of two active scenes is none of the application`()
    async throws
  {
    try await Play { host, posts in
      try await host.perform(.open(Self.one))
      try await host.perform(.open(Self.two))
      _ = posts.take()
      try await host.perform(.interrupt(Self.one))
      #expect(posts.take() == ["S1 willDeactivate"])
      try await host.perform(.interrupt(Self.two))
      #expect(posts.take() == ["S2 willDeactivate", "app willResignActive"])
      try await host.perform(.background(Self.one))
      #expect(posts.take() == ["S1 didEnterBackground"])
      try await host.perform(.resume(Self.two))
      #expect(posts.take() == ["S2 didActivate", "app didBecomeActive"])
    }
  }

  @Test func `a scene that is closed in the foreground takes the application to the background`()
    async throws
  {
    try await Play { host, posts in
      try await host.perform(.open(Self.one))
      _ = posts.take()
      try await host.perform(.close(Self.one))
      #expect(
        posts.take() == [
          "S1 willDeactivate", "app willResignActive", "S1 didDisconnect",
          "app didEnterBackground",
        ])
    }
  }

  @Test func `two that leave together end the application's time in the foreground once`()
    async throws
  {
    try await Play(shards: 64) { host, posts in
      try await host.perform(.open(Self.one))
      try await host.perform(.open(Self.two))
      _ = posts.take()
      try await host.perform(.backgroundAll)
      #expect(
        posts.take().filter { $0.hasPrefix("app") } == [
          "app willResignActive", "app didEnterBackground",
        ])
    }
  }

  @Test func `what never comes to the foreground concerns only itself`() async throws {
    try await Play { host, posts in
      try await host.perform(.connect(Self.one))
      try await host.perform(.disconnect(Self.one))
      #expect(posts.take() == ["S1 willConnect", "S1 didDisconnect"])
    }
  }

  // MARK: - Hand-overs

  private static let hasState: @Sendable (CallLog) -> @Sendable (isolated Scene) -> Void = { log in
    { log.append("\($0.application.applicationState)") }
  }

  @Test(arguments: ["archived", "background", "new"])
  func `in a hand-over nothing is posted, and the application is active throughout`(
    newcomer: String
  ) async throws {
    let states = CallLog()
    var script: Script = [:]
    for session in 1...9 {
      for callback in [
        "willConnect", "willEnterForeground", "didBecomeActive", "willResignActive",
        "didEnterBackground", "capture",
      ] {
        script["S\(session).\(callback)"] = Self.hasState(states)
      }
    }
    try await Play(script, capacity: 1) { host, posts in
      try await host.perform(.open(Self.one))
      if newcomer == "background" { try await host.perform(.connect(Self.two)) }
      _ = posts.take()
      _ = states.take()
      if newcomer == "new" {
        try await host.newSession()
      } else {
        try await host.perform(.open(Self.two))
      }
      #expect(!posts.take().contains { $0.hasPrefix("app") })
      let seen = states.take()
      #expect(seen.count >= 5)
      #expect(seen.allSatisfy { $0 == "active" })
    }
  }

  @Test func `a hand-over to a scene that is held up is none`() async throws {
    let extend: Script = ["S2.willConnect": { $0.extendStateRestoration() }]
    let play = Play(extend, capacity: 1)
    let application = play.stage.application
    try await play { host, posts in
      try await host.perform(.open(Self.one))
      _ = posts.take()
      host.submit(.open(Self.two))
      await application.settle()
      #expect(posts.take() == ["S1 willDeactivate", "S2 willConnect", "app willResignActive"])
      await application.scene(for: Self.two)?.completeStateRestoration()
      await application.settle()
      #expect(
        posts.take() == [
          "S2 willEnterForeground", "S2 didActivate", "app didBecomeActive",
          "S1 didEnterBackground",
        ])
    }
  }

  @Test func `an interrupted scene that gives way lets the application become active`()
    async throws
  {
    try await Play(capacity: 1) { host, posts in
      try await host.perform(.open(Self.one))
      try await host.perform(.interrupt(Self.one))
      _ = posts.take()
      try await host.perform(.open(Self.two))
      #expect(posts.take().filter { $0.hasPrefix("app") } == ["app didBecomeActive"])
    }
  }
}
