// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

/// A scene holds its way to the foreground while it restores its state (R-EXT-1).
@Suite struct ExtendedRestorationTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  private static let extend: @Sendable (isolated Scene) -> Void = { $0.extendStateRestoration() }
  private static let complete: @Sendable (isolated Scene) -> Void = {
    $0.completeStateRestoration()
  }

  /// Two archived sessions with a saved state, on a clock that is stopped.
  private static func stage(
    _ script: Script, log: CallLog = CallLog(), clock: ManualClock = ManualClock()
  ) -> Stage {
    let store = InMemorySessionStore([.number(1, state: "draft"), .number(2, state: "draft")])
    return Stage(log: log, script, store: store) {
      $0.clock = clock
      $0.shards = 1
    }
  }

  private static func complete(_ session: SessionIdentifier, of application: Application) async {
    await application.scene(for: session)?.completeStateRestoration()
    await application.settle()
  }

  @Test(.timeLimit(.minutes(10)))
  func `going home does not wait in one shard for a restoration in another`() async throws {
    let extending = (1...4).map { ("S\($0).willConnect", Self.extend) }
    let stage = Stage(Script(uniqueKeysWithValues: extending)) { $0.clock = ManualClock() }
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      for _ in 1...4 { application.host.submit(.newSession()) }
      for _ in 5...8 { try await application.host.newSession() }
      async let home: Void = application.host.perform(.backgroundAll)
      var left = 4
      for await event in events where event.line?.hasSuffix("I→B") == true {
        left -= 1
        if left == 0 { break }
      }
      for number in 1...4 as ClosedRange<UInt64> {
        await application.scene(for: .number(number))?.completeStateRestoration()
      }
      try await home
      #expect(application.applicationState == .background)
    }
  }

  @Test func `the foreground waits for the completion`() async throws {
    let stage = Self.stage(["S1.willConnect": Self.extend])
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      #expect(stage.log.take() == ["S1.willConnect U", "S1.restoreInteractionState(draft) B"])
      #expect(application.applicationState == .background)
      await Self.complete(Self.one, of: application)
      #expect(stage.log.take() == ["S1.willEnterForeground B", "S1.didBecomeActive A"])
    }
  }

  @Test func `extensions nest`() async throws {
    let stage = Self.stage([
      "S1.willConnect": Self.extend, "S1.restoreInteractionState": Self.extend,
    ])
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      _ = stage.log.take()
      await Self.complete(Self.one, of: application)
      #expect(stage.log.take() == [])
      await Self.complete(Self.one, of: application)
      #expect(stage.log.take() == ["S1.willEnterForeground B", "S1.didBecomeActive A"])
    }
  }

  @Test func `a completion without an extension does not pay for a later one`() async throws {
    let stage = Self.stage([
      "S1.willConnect": Self.complete, "S1.restoreInteractionState": Self.extend,
    ])
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      #expect(stage.log.take().last == "S1.restoreInteractionState(draft) B")
      await Self.complete(Self.one, of: application)
      await Self.complete(Self.one, of: application)
      #expect(stage.log.take() == ["S1.willEnterForeground B", "S1.didBecomeActive A"])
    }
  }

  @Test func `what is completed in the same callback holds nothing`() async throws {
    let stage = Self.stage([
      "S1.willConnect": { scene in
        scene.extendStateRestoration()
        scene.completeStateRestoration()
      }
    ])
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      await application.settle()
      #expect(stage.log.take().last == "S1.didBecomeActive A")
    }
  }

  @Test(arguments: [
    "willEnterForeground", "didBecomeActive", "willResignActive", "didEnterBackground", "capture",
  ])
  func `a scene that is seen, or has been, restores no more`(callback: String) async throws {
    let clock = ManualClock()
    let stage = Self.stage(["S1.\(callback)": Self.extend], clock: clock)
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.background(Self.one))
      clock.advance(by: .seconds(10))
      await application.settle()
      try await application.host.perform(.open(Self.one))
      clock.advance(by: .seconds(10))
      await application.settle()
      #expect(stage.log.take().last == "S1.didBecomeActive A")
      #expect(application.disagreements == [])
    }
  }

  @Test func `a scene in the background is not held, until it is to come forward`() async throws {
    let stage = Self.stage(["S1.willConnect": Self.extend])
    try await stage.play { application in
      try application.send("hello", to: Self.one)
      await application.settle()
      #expect(stage.log.take().last == "S1.didReceive(hello) B")
      application.host.submit(.open(Self.one))
      try application.send("again", to: Self.one)
      await application.settle()
      #expect(stage.log.take() == [])
      await Self.complete(Self.one, of: application)
      #expect(
        stage.log.take() == [
          "S1.willEnterForeground B", "S1.didBecomeActive A", "S1.didReceive(again) A",
        ])
    }
  }

  @Test func `later requests for the session wait in their order, others go on`() async throws {
    let stage = Self.stage(["S1.willConnect": Self.extend])
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      try application.send("hello", to: Self.one)
      application.host.submit(.background(Self.one))
      try application.send("again", to: Self.one)
      try await application.host.perform(.open(Self.two))
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.restoreInteractionState(draft) B", "S2.willConnect U",
          "S2.restoreInteractionState(draft) B", "S2.willEnterForeground B",
          "S2.didBecomeActive A",
        ])
      await Self.complete(Self.one, of: application)
      #expect(
        stage.log.take() == [
          "S1.willEnterForeground B", "S1.didBecomeActive A", "S1.didReceive(hello) A",
          "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B",
          "S1.didReceive(again) B",
        ])
    }
  }

  @Test func `changes from outside and results of its own work reach a scene that is held`()
    async throws
  {
    let log = CallLog()
    let stage = Self.stage(
      [
        "S1.willConnect": { scene in
          scene.extendStateRestoration()
          scene.addTask(ScriptedDelegate.self) {
            "loaded"
          } then: { _, scene, result in
            log.append("\(result) \(scene.activationState.letter)")
            scene.completeStateRestoration()
          }
        }
      ], log: log)
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      while log.lines.last != "S1.didBecomeActive A" { await Task.yield() }
      #expect(
        log.take() == [
          "S1.willConnect U", "S1.restoreInteractionState(draft) B", "loaded B",
          "S1.willEnterForeground B", "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `what is set outside a callback is seen although the scene is held`() async throws {
    let stage = Self.stage(["S1.willConnect": Self.extend])
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      let scene = try #require(application.scene(for: Self.one))
      await Self.name(scene, "Letters")
      await application.settle()
      #expect(application.session(Self.one)?.title == "Letters")
      #expect(application.applicationState == .background)
    }
  }

  private static func name(_ scene: isolated Scene, _ title: String) {
    scene.title = title
  }

  @Test func `pressure spares a scene whose restoration is extended (R-DIS-4)`() async throws {
    let stage = Self.stage(["S1.willConnect": Self.extend])
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      try await application.host.perform(.connect(Self.two))
      #expect(try await application.host.relievePressure(count: 2) == [Self.two])
      await Self.complete(Self.one, of: application)
      #expect(try await application.host.relievePressure(count: 2) == [Self.one])
    }
  }

  @Test func `the next scene of a session is not extended by the last one`() async throws {
    let isFirst = Leased([true, false])
    let stage = Self.stage([
      "S1.willConnect": { if isFirst.next() { $0.extendStateRestoration() } }
    ])
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      try await application.host.perform(.disconnect(Self.one))
      try await application.host.perform(.connect(Self.one))
      #expect(try await application.host.relievePressure(count: 1) == [Self.one])
    }
  }
}
