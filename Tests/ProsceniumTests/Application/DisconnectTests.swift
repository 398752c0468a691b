// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// SEQ-DISCONNECT (semantics#disconnection-by-the-system).
@Suite struct DisconnectTests {
  @Test func `a scene in the foreground is not disconnected (R-DIS-1)`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      for isInterrupted in [false, true] {
        if isInterrupted { try await application.host.perform(.interrupt(session.id)) }
        _ = stage.log.take()
        let code = await SceneError.code { () throws(SceneError) in
          try await application.host.perform(.disconnect(session.id))
        }
        #expect(code == .notInBackground)
        #expect(stage.log.take() == [])
      }
    }
  }

  @Test func `a disconnect is no discard (R-DIS-2)`() async throws {
    let store = InMemorySessionStore()
    let stage = Stage(capturing: "draft", store: store, delegate: ApplicationScript())
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      _ = stage.log.take()
      try await application.host.perform(.disconnect(session.id))
      #expect(stage.log.take() == ["S1.didDisconnect U"])
      #expect(Array(application.openSessions) == [session])
      #expect(application.connectedScenes.isEmpty)
      #expect(application.scene(for: session.id) == nil)
      #expect(
        application.session(session.id)?.stateRestorationActivity == .titled("draft"))
      #expect(store.sessions.map(\.persistentIdentifier) == [session.id])
    }
  }

  @Test func `a state that was marked since is captured first (R-DIS-3)`() async throws {
    let store = InMemorySessionStore()
    let stage = Stage(
      ["S1.didReceive": { $0.setNeedsCapture() }], capturing: "draft", store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try application.send("change", to: session.id)
      await application.settle()
      _ = stage.log.take()
      try await application.host.perform(.disconnect(session.id))
      #expect(stage.log.take() == ["S1.capture B", "S1.didDisconnect U"])
      #expect(store.sessions.map(\.stateRestorationActivity) == [.titled("draft")])
    }
  }

  @Test func `an archived session has no scene to give up`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)]))
    try await stage.play { application in
      try await application.host.perform(.disconnect(SessionIdentifier.number(1)))
      #expect(stage.log.take() == [])
    }
  }

  @Test func `a session that is not open cannot be disconnected`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.disconnect(SessionIdentifier.number(99)))
      }
      #expect(code == .sessionNotOpen)
    }
  }

  @Test func `under pressure the least recently active go first (R-DIS-4)`() async throws {
    let stage = Stage(store: InMemorySessionStore((1...5).map { .number($0) }))
    try await stage.play { application in
      for number in [3, 1, 2, 4, 5] as [UInt64] {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      for number in 1...4 as ClosedRange<UInt64> {
        try await application.host.perform(.background(SessionIdentifier.number(number)))
      }
      _ = stage.log.take()
      #expect(try await application.host.relievePressure(count: 0) == [])
      #expect(try await application.host.relievePressure(count: -1) == [])
      #expect(
        try await application.host.relievePressure(count: 2) == [.number(3), .number(1)])
      #expect(stage.log.take() == ["S3.didDisconnect U", "S1.didDisconnect U"])
      // Not the one in the foreground.
      #expect(
        try await application.host.relievePressure(count: 9) == [.number(2), .number(4)])
      #expect(application.connectedSceneCount == 1)
    }
  }

  private final class MortalDelegate: SceneDelegate {
    let log: CallLog

    init(_ log: CallLog) {
      self.log = log
    }

    deinit {
      log.append("delegate released")
    }

    func sceneDidDisconnect(_ scene: isolated Scene) { log.append("didDisconnect") }
  }

  @Test func `scene and delegate are released (R-ID-4)`() async throws {
    let log = CallLog()
    let stage = Stage(log: log, manifest: [SceneConfiguration("Main") { MortalDelegate(log) }])
    try await stage.play { application in
      let session = try await application.host.newSession()
      weak let scene = application.scene(for: session.id)
      #expect(scene != nil)
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      #expect(stage.log.take() == ["didDisconnect", "delegate released"])
      #expect(scene == nil)
    }
  }
}
