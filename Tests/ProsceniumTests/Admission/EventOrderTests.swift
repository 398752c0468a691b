// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Events that are submitted keep their place in the order of all requests.
@Suite(.serialized) struct EventOrderTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  private static func event(_ title: String) -> SceneEvent {
    .activity(.titled(title, shows: "one"))
  }

  /// An application with a shard that the test holds, and two archived sessions.
  private static func play(
    _ script: Script = [:], settings change: (inout ApplicationSettings) -> Void = { _ in },
    _ body: @Sendable (Stage, Application, HeldExecutor) async throws -> Void
  ) async throws {
    let held = HeldExecutor()
    let sessions = [
      StoredSession.number(1, conditions: .init(prefers: .equals("one"))),
      StoredSession.number(2, conditions: .init(prefers: .equals("two"))),
    ]
    let stage = Stage(script, store: InMemorySessionStore(sessions)) { settings in
      settings.useOneShard(on: held)
      change(&settings)
    }
    try await stage.play { application in
      try await body(stage, application, held)
    }
  }

  /// Lets everything run that was queued, and returns the calls that it came to.
  private static func run(
    _ stage: Stage, _ application: Application, _ held: HeldExecutor
  ) async -> [String] {
    held.letGo()
    await application.settle()
    return stage.log.take()
  }

  @Test func `one for an active scene changes no state`() async throws {
    try await Self.play { stage, application, held in
      held.hold()
      application.host.submit(.open(Self.one))
      application.submit(.deliver(Self.event("a")))
      #expect(application.queueLoad.requests == 2)
      _ = await Self.run(stage, application, held)
      held.hold()
      application.submit(.deliver(Self.event("b")))
      #expect(await Self.run(stage, application, held) == ["S1.continue(b) A"])
    }
  }

  @Test func `one keeps its place among other requests`() async throws {
    try await Self.play { stage, application, held in
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      held.hold()
      application.submit(.deliver(Self.event("a")))
      application.host.submit(.background(Self.one))
      application.submit(.deliver(Self.event("b")))
      #expect(
        await Self.run(stage, application, held) == [
          "S1.continue(a) A", "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B",
          "S1.willEnterForeground B", "S1.continue(b) I", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `one for an interrupted scene resumes it`() async throws {
    try await Self.play { stage, application, held in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.interrupt(Self.one))
      _ = stage.log.take()
      held.hold()
      application.submit(.deliver(Self.event("a")))
      #expect(
        await Self.run(stage, application, held) == ["S1.continue(a) I", "S1.didBecomeActive A"])
    }
  }

  @Test func `one for a scene that gives way brings it back`() async throws {
    // It resigns when it gives way: then the event comes.
    let script: Script = [
      "S1.willResignActive": { $0.application.submit(.deliver(Self.event("b"))) }
    ]
    try await Self.play(script) {
      $0.foregroundCapacity = 1
    } _: { stage, application, held in
      held.hold()
      application.host.submit(.open(Self.one))
      application.submit(.deliver(Self.event("a")))
      application.host.submit(.open(Self.two))
      let calls = await Self.run(stage, application, held)
      #expect(calls.contains("S1.continue(a) A"))
      #expect(calls.contains("S1.continue(b) I"))
    }
  }

  @Test func `none is delivered once the application ends`() async throws {
    try await Self.play { stage, application, _ in
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      application.submit(.deliver(Self.event("before")))
      application.core.gate.withLock { $0.phase = .closing }
      application.submit(.deliver(Self.event("after")))
      await application.settle()
      #expect(stage.log.take().filter { $0.contains("continue") } == ["S1.continue(before) A"])
    }
  }
}
