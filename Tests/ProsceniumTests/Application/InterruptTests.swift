// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// SEQ-INTERRUPT (section 2.4).
@Suite struct InterruptTests {
  @Test func `an interruption and its end never touch the background`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newWindow()
      _ = stage.log.take()
      try await application.host.interrupt(session)
      #expect(stage.log.take() == ["S1.willResignActive A"])
      #expect(application.scene(for: session.id)?.activationState == .foregroundInactive)
      #expect(application.applicationState == .inactive)
      try await application.host.resume(session)
      #expect(stage.log.take() == ["S1.didBecomeActive A"])
    }
  }

  @Test func `to interrupt twice, or to resume what is active, does nothing`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newWindow()
      try await application.host.resume(session)
      try await application.host.interrupt(session)
      _ = stage.log.take()
      try await application.host.interrupt(session)
      #expect(stage.log.take() == [])
    }
  }

  @Test func `what is not in the foreground is neither interrupted nor resumed`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1), .number(2)]))
    try await stage.play { application in
      let background = SessionIdentifier.number(2)
      try await application.host.open(background)
      try await application.host.background(background)
      _ = stage.log.take()
      for session in [SessionIdentifier.number(1), background] {
        try await application.host.interrupt(session)
        try await application.host.resume(session)
      }
      #expect(stage.log.take() == [])
      #expect(application.connectedSceneCount == 1)
    }
  }

  @Test func `a session that is not open cannot be interrupted`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let codes = [
        await SceneError.code { () throws(SceneError) in
          try await application.host.interrupt(SessionIdentifier.number(99))
        },
        await SceneError.code { () throws(SceneError) in
          try await application.host.resume(SessionIdentifier.number(99))
        },
      ]
      #expect(codes == [.requestDenied, .requestDenied])
    }
  }
}
