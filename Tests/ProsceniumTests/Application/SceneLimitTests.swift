// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization
import Testing

@testable import Proscenium

/// A policy that limits how many scenes are connected.
@Suite(.timeLimit(.minutes(10))) struct SceneLimitTests {
  @Test func `one too many, and the least recently used goes`() async throws {
    let stage = PolicyStage(sessions: 5) { $0.sceneLimit = 3 }
    try await stage.play { application in
      try await stage.connect(1...3)
      try application.send("used", to: .number(1))
      await application.settle()
      _ = stage.log.take()
      try await stage.connect(4...4)
      #expect(stage.log.take() == ["S4.willConnect U", "S2.didDisconnect U"])
      #expect(stage.connected == ["S1", "S3", "S4"])
      #expect(
        application.pressureReport
          == PressureReport(connectedScenes: 3, sceneLimit: 3, disconnectedForPressure: 1))
    }
  }

  @Test(arguments: [1, 2, 64], [0, 1, 10, 100])
  func `the limit holds after every burst`(shards: Int, limit: Int) async throws {
    let stage = PolicyStage(sessions: 300) {
      $0.sceneLimit = limit
      $0.order = .recommended
    } settings: {
      $0.shards = shards
    }
    try await stage.play { application in
      var random = SplitMix64(seed: UInt64(shards * 1_000 + limit))
      for _ in 0..<20 {
        for _ in 0..<random.number(below: 80) {
          let session = SessionIdentifier.number(UInt64(random.number(below: 300) + 1))
          application.host.submit(.connect(session))
          if random.happens(perThousand: 300) { try application.send("use", to: session) }
        }
        await application.settle()
        #expect(application.connectedSceneCount <= limit)
      }
      #expect(application.pressureReport.disconnectedForPressure > 0)
      #expect(application.core.pressure.control?.promised.load(ordering: .relaxed) == 0)
    }
    #expect(stage.application.core.leftovers == 0)
  }

  @Test func `no scene stays over the limit, however shards race one another`() async throws {
    let stage = PolicyStage(sessions: 64, policy: { $0.sceneLimit = 0 }) { $0.shards = 64 }
    try await stage.play { application in
      for burst in 0..<1_500 as Range<UInt64> {
        await withTaskGroup { group in
          for caller in 0..<4 as Range<UInt64> {
            // Several threads connect a few scenes at once, each of another shard as a rule.
            group.addTask {
              var random = SplitMix64(seed: burst << 8 | caller)
              for _ in 0..<2 {
                application.host.submit(
                  .connect(SessionIdentifier.number(UInt64(random.number(below: 64) + 1))))
              }
            }
          }
        }
        await application.settle()
        try #require(application.connectedSceneCount == 0, "burst \(burst)")
      }
    }
  }

  @Test func `what was not captured is captured before`() async throws {
    let script: Script = ["S1.willConnect": { $0.setNeedsCapture() }]
    let stage = PolicyStage(script, capturing: "kept", sessions: 2) { $0.sceneLimit = 1 }
    try await stage.play { application in
      try await stage.connect(1...1)
      _ = stage.log.take()
      try await stage.connect(2...2)
      #expect(stage.log.take() == ["S2.willConnect U", "S1.capture B", "S1.didDisconnect U"])
      #expect(application.session(.number(1))?.stateRestorationActivity?.title == "kept")
    }
  }

  @Test func `observers are told why`() async throws {
    let stage = PolicyStage(sessions: 2) { $0.sceneLimit = 1 }
    let events = stage.application.lifecycleEvents()
    try await stage.play { _ in try await stage.connect(1...2) }
    let lines = await events.lines
    #expect(lines.contains("S1 disconnected: pressure"))
    #expect(lines.contains("S2 disconnected: termination"))
  }

  @Test func `without a policy no scene goes`() async throws {
    let stage = PolicyStage(sessions: 50, policy: nil)
    try await stage.play { application in
      try await stage.connect(1...50)
      await stage.wait(.seconds(10))
      #expect(application.connectedSceneCount == 50)
      #expect(application.pressureReport == PressureReport(connectedScenes: 50))
      #expect(application.core.pressure.control == nil)
    }
  }

  @Test func `a policy can come, change and go while scenes are connected`() async throws {
    let stage = PolicyStage(sessions: 12, policy: nil)
    try await stage.play { application in
      try await stage.connect(1...8)
      application.host.setDisconnectionPolicy(PolicyStage.policy { $0.sceneLimit = 6 })
      await application.settle()
      #expect(stage.connected == ["S3", "S4", "S5", "S6", "S7", "S8"])
      application.host.setDisconnectionPolicy(PolicyStage.policy { $0.sceneLimit = 2 })
      await application.settle()
      #expect(stage.connected == ["S7", "S8"])
      #expect(application.pressureReport.disconnectedForPressure == 6)
      application.host.setDisconnectionPolicy(nil)
      try await stage.connect(1...6)
      #expect(application.connectedSceneCount == 8)
      #expect(application.pressureReport.sceneLimit == nil)
    }
  }

  @Test func `a session whose condition is that ends instead`() async throws {
    let script: Script = ["S1.willConnect": { $0.destructionConditions = [.systemDisconnection] }]
    let stage = PolicyStage(script, sessions: 2, policy: { $0.sceneLimit = 1 })
    try await stage.play { application in
      try await stage.connect(1...2)
      await application.settle()
      #expect(application.session(.number(1)) == nil)
      #expect(stage.connected == ["S2"])
    }
  }

  // MARK: - What the order is told

  @Test func `discarded sessions and failed configurations leave nothing behind`() async throws {
    let stage = PolicyStage(sessions: 4, policy: { $0.sceneLimit = 3 }) {
      $0.identifiers = .counted(from: 10)
    }
    try await stage.play { application in
      try await stage.connect(1...3)
      for number in [2, 3] as [UInt64] {
        guard let session = application.session(.number(number)) else { continue }
        try await application.requestSceneSessionDestruction(session.id)
      }
      try await application.host.perform(.disconnect(SessionIdentifier.number(1)))
      await application.settle()
      #expect(application.core.pressure.control?.connected.load(ordering: .relaxed) == 0)
      for _ in 0..<3 {
        let session = try await application.host.newSession()
        try await application.host.perform(.background(session.id))
      }
      #expect(application.connectedSceneCount == 3)
      #expect(application.core.pressure.control?.connected.load(ordering: .relaxed) == 3)
      #expect(application.pressureReport.disconnectedForPressure == 0)
    }
    #expect(stage.application.core.pressure.control?.connected.load(ordering: .relaxed) == 0)
  }

  @Test func `an application that is killed leaves nothing behind`() async throws {
    let stage = PolicyStage(sessions: 4, policy: { $0.sceneLimit = 3 })
    try await stage.play { application in
      try await stage.connect(1...3)
      application.process.abandon()
    }
    #expect(stage.application.core.pressure.control?.connected.load(ordering: .relaxed) == 0)
  }
}
