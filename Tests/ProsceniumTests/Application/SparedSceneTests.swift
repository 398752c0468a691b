// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Scenes that a policy does not take, whichever others have to go (R-DIS-1, R-DIS-4).
@Suite(.timeLimit(.minutes(10))) struct SparedSceneTests {
  private static let one = SessionIdentifier.number(1)

  /// Connects one session more than the policy allows, with the first one spared.
  private static func check(
    _ script: Script = [:],
    prepare: @Sendable (PolicyStage) async throws -> Void
  ) async throws {
    let stage = PolicyStage(script, sessions: 3) { $0.sceneLimit = 2 }
    try await stage.play { application in
      try await prepare(stage)
      try await stage.connect(2...3)
      #expect(stage.connected == ["S1", "S3"])
      #expect(application.pressureReport.disconnectedForPressure == 1)
    }
  }

  @Test func `one in the foreground`() async throws {
    try await Self.check { try await $0.application.host.perform(.open(Self.one)) }
  }

  @Test func `one that is inactive in the foreground`() async throws {
    try await Self.check { try await $0.application.host.perform(.open(Self.one, hold: true)) }
  }

  @Test func `one that keeps connected`() async throws {
    let script: Script = ["S1.willConnect": { $0.keepsConnected = true }]
    try await Self.check(script) { try await $0.connect(1...1) }
  }

  @Test func `one whose restoration is extended`() async throws {
    let script: Script = ["S1.willConnect": { $0.extendStateRestoration() }]
    try await Self.check(script) { try await $0.connect(1...1) }
  }

  @Test func `one that has asked for time, until that is over`() async throws {
    let script: Script = ["S1.willConnect": { $0.delayDisconnection(for: .seconds(5)) }]
    let stage = PolicyStage(script, sessions: 6) { $0.sceneLimit = 1 }
    try await stage.play { _ in
      try await stage.connect(1...1)
      try await stage.connect(2...2)
      #expect(stage.connected == ["S1"])
      await stage.wait(.milliseconds(4_900))
      try await stage.connect(3...3)
      #expect(stage.connected == ["S1"])
      await stage.wait(.milliseconds(100))
      // Found spared no more, it counts as used once: the next one but this makes it go.
      try await stage.connect(4...5)
      #expect(stage.connected == ["S5"])
    }
  }

  @Test func `a delay can be ended, and what is kept let go`() async throws {
    let script: Script = [
      "S1.willConnect": { $0.delayDisconnection(for: .seconds(5)) },
      "S1.didReceive": {
        $0.delayDisconnection(for: .zero)
        $0.keepsConnected = true
      },
      "S1.replyTo": { $0.keepsConnected = false },
    ]
    let stage = PolicyStage(script, sessions: 6) { $0.sceneLimit = 1 }
    try await stage.play { application in
      try await stage.connect(1...2)
      #expect(stage.connected == ["S1"])
      try application.send("keep", to: Self.one)
      try await stage.connect(3...3)
      await stage.wait(.seconds(10))
      #expect(stage.connected == ["S1"])
      _ = try await application.call("let go", to: Self.one)
      try await stage.connect(4...5)
      #expect(stage.connected == ["S5"])
      // What the first scene said does not hold for the session's next one.
      try await application.host.perform(.open(Self.one))
      #expect(await application.scene(for: Self.one)?.keepsConnected == false)
    }
  }

  @Test func `an event that comes while the victim is chosen keeps its scene`() async throws {
    // S3 sends to S1, which would go first, while it connects: the event is in the queue when
    // the pass is over.
    let script: Script = [
      "S3.willConnect": { try? $0.application.send("wait for me", to: .number(1)) }
    ]
    let stage = PolicyStage(script, sessions: 3) { $0.sceneLimit = 2 }
    try await stage.play { _ in
      try await stage.connect(1...2)
      _ = stage.log.take()
      try await stage.connect(3...3)
      #expect(
        stage.log.take().sorted() == [
          "S1.didReceive(wait for me) B", "S2.didDisconnect U", "S3.willConnect U",
        ])
      #expect(stage.connected == ["S1", "S3"])
    }
  }

  @Test func `where every scene has an event, one goes when it has run`() async throws {
    let script: Script = [
      "S2.willConnect": { scene in
        for number in [1, 2] as [UInt64] {
          try? scene.application.send("wait for me", to: .number(number))
        }
      }
    ]
    let stage = PolicyStage(script, sessions: 2) { $0.sceneLimit = 1 }
    try await stage.play { _ in
      try await stage.connect(1...1)
      _ = stage.log.take()
      try await stage.connect(2...2)
      let log = stage.log.take()
      #expect(log.filter { $0.contains("didReceive") }.count == 2)
      #expect(log.last?.hasSuffix("didDisconnect U") == true)
      #expect(stage.connected.count == 1)
    }
  }

  @Test func `one whose lane waits`() async throws {
    let script: Script = ["S1.willConnect": { $0.extendStateRestoration() }]
    let stage = PolicyStage(script, sessions: 3) { $0.sceneLimit = 2 }
    try await stage.play { application in
      application.host.submit(.open(Self.one, hold: false))
      await application.settle()
      // The extension is over, and its lane is still to be released.
      let scene = try #require(application.scene(for: Self.one))
      await scene.endExtension()
      try await stage.connect(2...3)
      #expect(stage.connected == ["S1", "S3"])
      await scene.signalRestored()
    }
  }

  // MARK: - The foreground

  @Test func `where it is allowed a scene in the foreground goes through the background`()
    async throws
  {
    let stage = PolicyStage(capturing: "seen", sessions: 2) {
      $0.sceneLimit = 1
      $0.takesForeground = true
    }
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      _ = stage.log.take()
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      await application.settle()
      #expect(
        stage.log.take() == [
          "S2.willConnect U", "S2.willEnterForeground B", "S2.didBecomeActive A",
          "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B",
          "S1.didDisconnect U",
        ])
      #expect(application.session(Self.one)?.stateRestorationActivity?.title == "seen")
    }
  }

  @Test func `otherwise all stay, and go when they have left it`() async throws {
    let stage = PolicyStage(sessions: 4) { $0.sceneLimit = 1 }
    try await stage.play { application in
      for number in 1...3 as ClosedRange<UInt64> {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      await stage.wait(.seconds(1))
      #expect(stage.connected == ["S1", "S2", "S3"])
      try await application.host.perform(.background(SessionIdentifier.number(2)))
      try await application.host.perform(.background(Self.one))
      await stage.wait(.milliseconds(200))
      #expect(stage.connected == ["S3"])
    }
  }
}

extension Scene {
  /// Releases the lane that waits for the restoration.
  fileprivate func signalRestored() {
    context.signal(.restored, slot)
  }

  /// Ends the extension of the restoration, and releases no lane.
  fileprivate func endExtension() {
    let isComplete = lifecycle.complete()
    #expect(isComplete)
    showState()
  }
}
