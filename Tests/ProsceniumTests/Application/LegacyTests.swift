// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// An application without a manifest (semantics#applications-without-a-manifest), and what scenes
/// have nothing for (semantics#errors).
@Suite(.timeLimit(.minutes(10))) struct LegacyTests {
  @Test func `it is refused before anything is read, written or called (R-LEG-2)`() async throws {
    let store = InMemorySessionStore([.number(1), .number(2)])
    store.discardWhileNotRunning(.number(2))
    let stage = Stage(store: store, delegate: ApplicationScript(), manifest: []) {
      $0.launch = .icon
    }
    let application = stage.application
    application.host.submit(.newSession()) { stage.log.append("submitted: \($0.code)") }
    async let awaited = SceneError.code { () throws(SceneError) in
      try await application.host.newSession()
    }
    let code = await SceneError.code { () throws(SceneError) in
      do {
        try await application.run()
      } catch let error as SceneError {
        throw error
      } catch {
        Issue.record(error)
      }
    }
    #expect(code == .sceneLifecycleRequired)
    #expect(await awaited == .notRunning)
    #expect(stage.log.take() == ["submitted: notRunning"])
    let stored = try await store.loaded()
    #expect(stored.open.map(\.persistentIdentifier.label) == ["S1"])
    #expect(stored.discarded.map(\.persistentIdentifier.label) == ["S2"])
    for await event in application.lifecycleEvents() {
      Issue.record("nothing can happen, but \(event.line ?? "something")")
    }
  }

  @Test func `a delegate that chooses configurations replaces a manifest (R-LEG-1)`()
    async throws
  {
    let log = CallLog()
    let script = ApplicationScript(choose: { _, _, _ in
      SceneConfiguration("Guest") { ScriptedDelegate(log) }
    })
    let stage = Stage(log: log, delegate: script, manifest: [])
    try await stage.play { application in
      _ = log.take()
      try await application.host.newSession()
      #expect(log.take().prefix(2) == ["app.configuration(S1)", "S1.willConnect U"])
    }
  }

  @Test func `settings can allow one scene without a delegate (R-LEG-2)`() async throws {
    let store = InMemorySessionStore()
    for _ in 0..<2 {
      let stage = Stage(store: store, manifest: []) {
        $0.allowsLegacy = true
        $0.launch = .icon
        $0.identifiers = .counted(from: store.sessions.isEmpty ? 1 : 9)
      }
      let events = stage.application.lifecycleEvents()
      try await stage.play { application in
        await application.settle()
        #expect(application.openSessions.map(\.id.label) == ["S1"])
        #expect(application.applicationState == .active)
        #expect(!application.supportsMultipleScenes)
        let scene = try #require(application.scene(for: .number(1)))
        let hasDelegate = await Self.hasDelegate(scene)
        #expect(!hasDelegate)
        let code = await SceneError.code { () throws(SceneError) in
          try await application.host.newSession()
        }
        #expect(code == .multipleScenesNotSupported)
        try await application.deliver(.url(OpenURLContext("doc")))
      }
      #expect(await events.lines.contains("S1 unhandledEvent"))
    }
  }

  private static func hasDelegate(_ scene: isolated Scene) -> Bool { scene.delegate != nil }

  @Test func `what is allowed changes nothing where there is a manifest`() async throws {
    let stage = Stage { $0.allowsLegacy = true }
    try await stage.play { application in
      #expect(application.supportsMultipleScenes)
      try await application.host.newSession()
      #expect(stage.log.take().first == "S1.willConnect U")
    }
  }

  @Test func `codes that UIKit has bear its numbers, the others none`() {
    let numbered: [(SceneError.Code, Int?)] = [
      (.multipleScenesNotSupported, 0), (.sessionNotOpen, 1), (.connectionFailed, 1),
      (.unresolvableConfiguration, 1), (.onlySession, 1), (.quotaReached, 1), (.refusedByPolicy, 1),
      (.handoffNotAnnounced, 1), (.alreadyRun, nil), (.sceneLifecycleRequired, nil),
      (.restorationTimedOut, nil), (.notPropertyList, nil),
      (.notInBackground, nil), (.roleMismatch, nil), (.notRunning, nil), (.systemBusy, nil),
      (.limitExceeded, nil), (.unhandledCall, nil), (.lost, nil),
    ]
    for (code, number) in numbered { #expect(code.uiKitCode == number, "\(code)") }
    #expect(Set(numbered.map(\.0)).count == numbered.count)
    #expect(Set(numbered.map(\.0.description)).count == numbered.count)
  }
}
