// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// SEQ-INTERRUPT (semantics#background-and-snapshots).
@Suite struct InterruptTests {
  @Test func `an interruption and its end never touch the background`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      _ = stage.log.take()
      try await application.host.perform(.interrupt(session.id))
      #expect(stage.log.take() == ["S1.willResignActive A"])
      #expect(application.scene(for: session.id)?.activationState == .foregroundInactive)
      #expect(application.applicationState == .inactive)
      try await application.host.perform(.resume(session.id))
      #expect(stage.log.take() == ["S1.didBecomeActive A"])
    }
  }

  @Test func `to interrupt twice, or to resume what is active, does nothing`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.resume(session.id))
      try await application.host.perform(.interrupt(session.id))
      _ = stage.log.take()
      try await application.host.perform(.interrupt(session.id))
      #expect(stage.log.take() == [])
    }
  }

  @Test func `what is not in the foreground is neither interrupted nor resumed`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1), .number(2)]))
    try await stage.play { application in
      let background = SessionIdentifier.number(2)
      try await application.host.perform(.open(background))
      try await application.host.perform(.background(background))
      _ = stage.log.take()
      for session in [SessionIdentifier.number(1), background] {
        try await application.host.perform(.interrupt(session))
        try await application.host.perform(.resume(session))
      }
      #expect(stage.log.take() == [])
      #expect(application.connectedSceneCount == 1)
    }
  }

  @Test func `a scene that takes no input knows no interruption`() async throws {
    let conditions = SceneActivationConditions(prefers: .true)
    let store = InMemorySessionStore(
      (1...2).map {
        .number($0, conditions: conditions, role: .windowExternalDisplayNonInteractive)
      })
    let screen = SceneConfiguration(
      "Main", role: .windowExternalDisplayNonInteractive, SilentDelegate.init)
    let stage = Stage(store: store, manifest: [screen])
    try await stage.play { application in
      for number in 1...2 as ClosedRange<UInt64> {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      let second = SessionIdentifier.number(2)
      try await application.host.perform(.interrupt(second))
      try await application.host.perform(.resume(second))
      #expect(application.scene(for: second)?.activationState == .foregroundInactive)
      // It has not become active by that: the two are still equals.
      let chosen = try await application.activateSceneSession(
        for: .init(
          role: .windowExternalDisplayNonInteractive, userActivity: .titled("", shows: "doc")))
      #expect(chosen.id == .number(1))
    }
  }

  @Test func `a session that is not open cannot be interrupted`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let codes = [
        await SceneError.code { () throws(SceneError) in
          try await application.host.perform(.interrupt(SessionIdentifier.number(99)))
        },
        await SceneError.code { () throws(SceneError) in
          try await application.host.perform(.resume(SessionIdentifier.number(99)))
        },
      ]
      #expect(codes == [.sessionNotOpen, .sessionNotOpen])
    }
  }
}
