// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

@testable import Proscenium

/// A policy that disconnects scenes which no user uses.
@Suite(.timeLimit(.minutes(10))) struct IdleSceneTests {
  private static let one = SessionIdentifier.number(1)

  private static func stage(_ script: Script = [:], sessions: UInt64 = 3) -> PolicyStage {
    PolicyStage(script, sessions: sessions) { $0.idleTime = .seconds(8) }
  }

  @Test func `a scene goes when it was idle for the time, and not before`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await stage.connect(1...2)
      _ = stage.log.take()
      await stage.wait(.seconds(8), in: .seconds(1))
      #expect(stage.log.take() == [])
      await stage.wait(.seconds(2), in: .seconds(1))
      #expect(stage.log.take() == ["S1.didDisconnect U", "S2.didDisconnect U"])
      #expect(application.pressureReport == PressureReport(disconnectedWhenIdle: 2))
    }
  }

  @Test func `a use keeps it`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await stage.connect(1...2)
      for _ in 0..<5 {
        await stage.wait(.seconds(5), in: .seconds(1))
        try application.send("here", to: Self.one)
        await application.settle()
      }
      #expect(stage.connected == ["S1"])
      await stage.wait(.seconds(10), in: .seconds(1))
      #expect(stage.connected == [])
    }
  }

  @Test func `time that passes at once is no time without a look`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await stage.connect(1...1)
      stage.clock.advance(by: .seconds(1_000))
      try application.send("used before anybody looked", to: Self.one)
      await application.settle()
      #expect(stage.connected == ["S1"])
    }
  }

  @Test func `the foreground, extensions and wishes are spared`() async throws {
    let script: Script = [
      "S1.willConnect": { $0.keepsConnected = true },
      "S3.willConnect": { $0.delayDisconnection(for: .seconds(60)) },
    ]
    let stage = Self.stage(script)
    try await stage.play { application in
      try await stage.connect(1...1)
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      try await stage.connect(3...3)
      await stage.wait(.seconds(40), in: .seconds(1))
      #expect(stage.connected == ["S1", "S2", "S3"])
      try await application.host.perform(.background(SessionIdentifier.number(2)))
      await stage.wait(.seconds(12), in: .seconds(1))
      #expect(stage.connected == ["S1", "S3"])
      await stage.wait(.seconds(30), in: .seconds(1))
      #expect(stage.connected == ["S1"])
    }
  }

  @Test func `observers are told why`() async throws {
    let stage = Self.stage()
    let events = stage.application.lifecycleEvents()
    try await stage.play { _ in
      try await stage.connect(1...1)
      await stage.wait(.seconds(12), in: .seconds(1))
    }
    let lines = await events.lines
    #expect(lines.contains("S1 disconnected: idle"))
  }
}
