// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@testable import Proscenium

/// Events for a scene that is active and stays so are no requests: nothing is to be decided.
///
/// With a record of admissions they pass the gate all the same, so that everything is tried in both
/// ways.
@Suite(.serialized) struct EventWithoutDecisionTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  private static func event(_ title: String, for content: String = "one") -> SceneEvent {
    .activity(.titled(title, shows: content))
  }

  /// An application with a shard that the test holds, and two archived sessions.
  private static func play(
    isRecorded: Bool, _ script: Script = [:],
    settings change: (inout ApplicationSettings) -> Void = { _ in },
    _ body: @Sendable (Stage, Application, HeldExecutor) async throws -> Void
  ) async throws {
    let held = HeldExecutor()
    let sessions = [
      StoredSession.number(1, conditions: .init(prefers: .equals("one"))),
      StoredSession.number(2, conditions: .init(prefers: .equals("two"))),
    ]
    let stage = Stage(script, store: InMemorySessionStore(sessions)) { settings in
      settings.useOneShard(on: held)
      if isRecorded { settings.onAdmission = { _ in } }
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

  private static func expect(
    _ application: Application, requests: Int, messages: Int,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let load = application.queueLoad
    #expect(load.requests == requests && load.messages == messages, sourceLocation: location)
  }

  @Test(arguments: [false, true])
  func `an event for an active scene counts as a message`(isRecorded: Bool) async throws {
    try await Self.play(isRecorded: isRecorded) { stage, application, held in
      try await application.host.open(Self.one)
      _ = stage.log.take()
      held.hold()
      application.submit(Self.event("a"))
      application.submit(.url(OpenURLContext("https://example.org/one")))
      Self.expect(application, requests: 0, messages: 2)
      application.submit(Self.event("b", for: "two"))
      Self.expect(application, requests: 1, messages: 2)
      let calls = await Self.run(stage, application, held)
      #expect(calls.first == "S1.continue(a) A")
      Self.expect(application, requests: 0, messages: 0)
    }
  }

  @Test(arguments: [false, true])
  func `it keeps its place among what is decided`(isRecorded: Bool) async throws {
    try await Self.play(isRecorded: isRecorded) { stage, application, held in
      try await application.host.open(Self.one)
      _ = stage.log.take()
      held.hold()
      application.submit(Self.event("a"))
      application.host.submit(.background(Self.one))
      application.submit(Self.event("b"))
      Self.expect(application, requests: 1, messages: 1)
      #expect(
        await Self.run(stage, application, held) == [
          "S1.continue(a) A", "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B",
          "S1.willEnterForeground B", "S1.continue(b) I", "S1.didBecomeActive A",
        ])
    }
  }

  @Test(arguments: [false, true])
  func `a scene that is only about to be active takes none`(isRecorded: Bool) async throws {
    try await Self.play(isRecorded: isRecorded) { stage, application, held in
      held.hold()
      application.host.submit(.open(Self.one))
      application.submit(Self.event("a"))
      Self.expect(application, requests: 2, messages: 0)
      _ = await Self.run(stage, application, held)
      held.hold()
      application.submit(Self.event("b"))
      Self.expect(application, requests: 0, messages: 1)
      #expect(await Self.run(stage, application, held) == ["S1.continue(b) A"])
    }
  }

  @Test(arguments: [false, true])
  func `one that is interrupted is resumed by a request`(isRecorded: Bool) async throws {
    try await Self.play(isRecorded: isRecorded) { stage, application, held in
      try await application.host.open(Self.one)
      try await application.host.interrupt(Self.one)
      _ = stage.log.take()
      held.hold()
      application.submit(Self.event("a"))
      Self.expect(application, requests: 1, messages: 0)
      #expect(
        await Self.run(stage, application, held) == ["S1.continue(a) I", "S1.didBecomeActive A"])
    }
  }

  @Test(arguments: [false, true])
  func `one beyond the limit of messages is a request`(isRecorded: Bool) async throws {
    try await Self.play(isRecorded: isRecorded) {
      $0.eventLimit = 1
    } _: { stage, application, held in
      try await application.host.open(Self.one)
      _ = stage.log.take()
      held.hold()
      application.submit(Self.event("a"))
      application.submit(Self.event("b"))
      Self.expect(application, requests: 1, messages: 1)
      #expect(
        await Self.run(stage, application, held) == ["S1.continue(a) A", "S1.continue(b) A"])
    }
  }

  @Test(arguments: [false, true])
  func `one that gives way is brought back, not told in the background`(
    isRecorded: Bool
  ) async throws {
    // It resigns when it gives way: then the event comes.
    let script: Script = [
      "S1.willResignActive": { $0.application.submit(Self.event("b")) }
    ]
    try await Self.play(isRecorded: isRecorded, script) {
      $0.foregroundCapacity = 1
    } _: { stage, application, held in
      held.hold()
      application.host.submit(.open(Self.one))
      application.submit(Self.event("a"))
      application.host.submit(.open(Self.two))
      let calls = await Self.run(stage, application, held)
      #expect(calls.contains("S1.continue(a) A"))
      #expect(calls.contains("S1.continue(b) I"))
    }
  }

  @Test(arguments: [false, true])
  func `what needs an answer is a request`(isRecorded: Bool) async throws {
    try await Self.play(isRecorded: isRecorded) { stage, application, held in
      try await application.host.open(Self.one)
      held.hold()
      application.submit(
        .notification(NotificationResponse("n", targetContentIdentifier: "one")))
      application.submit(.handoff(activityType: "letter", targetContentIdentifier: "one"))
      Self.expect(application, requests: 2, messages: 0)
      _ = await Self.run(stage, application, held)
    }
  }
}
