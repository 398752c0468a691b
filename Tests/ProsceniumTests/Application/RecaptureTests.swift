// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// A state that was marked since its capture is captured again before a disconnect (R-DIS-3).
@Suite struct RecaptureTests {
  private static let one = SessionIdentifier.number(1)

  private static let mark: Script = ["S1.didReceive": { $0.setNeedsCapture() }]

  /// A scene in the background, captured and then marked as often as messages come.
  private static func play(
    _ stage: Stage, messages: Int = 1, _ body: @Sendable (Application) async throws -> Void
  ) async throws {
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      for _ in 0..<messages { try application.send("change", to: session.id) }
      await application.settle()
      _ = stage.log.take()
      try await body(application)
    }
  }

  private static func passes(_ events: AsyncStream<LifecycleEvent>) async -> Int {
    await events.reduce(into: 0) { count, event in
      if case .snapshotTaken = event.kind { count += 1 }
    }
  }

  @Test func `it is captured once, and no snapshot is taken of it`() async throws {
    let stage = Stage(Self.mark)
    let events = stage.application.lifecycleEvents()
    try await Self.play(stage, messages: 3) { application in
      try await application.host.perform(.disconnect(Self.one))
      #expect(
        stage.log.take().filter { $0 != "S1.didReceive(change) B" } == [
          "S1.capture B", "S1.didDisconnect U",
        ])
    }
    // The one of the background entry.
    #expect(await Self.passes(events) == 1)
  }

  @Test func `one that was not marked is not captured again`() async throws {
    let stage = Stage()
    try await Self.play(stage) { application in
      try await application.host.perform(.disconnect(Self.one))
      #expect(stage.log.take() == ["S1.didDisconnect U"])
    }
  }

  @Test(arguments: ["refresh", "background"])
  func `one that was captured in between is not captured again`(way: String) async throws {
    let stage = Stage(Self.mark)
    try await Self.play(stage) { application in
      if way == "refresh" {
        try await application.requestSceneSessionRefresh(Self.one)
      } else {
        try await application.host.perform(.open(Self.one))
        try await application.host.perform(.background(Self.one))
      }
      #expect(stage.log.take().last == "S1.capture B")
      try await application.host.perform(.disconnect(Self.one))
      #expect(stage.log.take() == ["S1.didDisconnect U"])
    }
  }

  @Test func `pressure and the end of the application ask as well`() async throws {
    let first = Stage(Self.mark)
    try await Self.play(first) { application in
      try await application.host.relievePressure(count: 1)
      #expect(first.log.take() == ["S1.capture B", "S1.didDisconnect U"])
    }
    let second = Stage(Self.mark)
    try await Self.play(second) { _ in }
    #expect(second.log.take() == ["S1.capture B", "S1.didDisconnect U"])
  }

  @Test func `a close asks nothing (R-DST-2)`() async throws {
    let stage = Stage(Self.mark)
    try await Self.play(stage) { application in
      try await application.host.perform(.close(Self.one))
      #expect(stage.log.take() == ["S1.didDisconnect U"])
    }
  }

  @Test func `a scene that never was in the foreground is asked only if it is marked`()
    async throws
  {
    let store = InMemorySessionStore([.number(1, state: "old"), .number(2, state: "old")])
    let stage = Stage(Self.mark, capturing: "new", store: store)
    try await stage.play { application in
      for number in 1...2 as ClosedRange<UInt64> {
        try application.send("change", to: SessionIdentifier.number(number))
        await application.settle()
        try await application.host.perform(.disconnect(SessionIdentifier.number(number)))
      }
      #expect(stage.log.take().filter { $0.contains("capture") } == ["S1.capture B"])
      #expect(store.sessions.map(\.stateRestorationActivity?.title) == ["new", "old"])
    }
  }
}
