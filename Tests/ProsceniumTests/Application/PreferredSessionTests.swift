// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import Testing

/// Which session shows content already, and what scenes hand to the host.
@Suite struct PreferredSessionTests {
  private static let doc = SceneActivationConditions(prefers: .equals("doc"))

  @Test func `the session that would be used again is found, and no other (R-REQ-2)`()
    async throws
  {
    let store = InMemorySessionStore([
      .number(1, lastActivated: 1, conditions: Self.doc),
      .number(2, lastActivated: 2, conditions: Self.doc),
      .number(3, lastActivated: 3),
    ])
    try await Stage(store: store).play { application in
      for session in [SessionIdentifier.number(2), .number(1)] {
        let showing = try application.session(showing: "doc")
        #expect(showing?.id == session)
        let used = try await application.activateSceneSession(
          for: .init(userActivity: .titled("", shows: "doc")))
        #expect(used.id == session)
        try await application.host.perform(.close(session))
      }
      // The last one can show it, and would not rather do so.
      let showing = try application.session(showing: "doc")
      #expect(showing == nil)
    }
  }

  @Test func `sessions of other roles are not looked at`() async throws {
    let store = InMemorySessionStore([
      .number(1, conditions: Self.doc, role: .windowExternalDisplay)
    ])
    let screen = SceneConfiguration("Main", role: .windowExternalDisplay, SilentDelegate.init)
    try await Stage(store: store, manifest: [screen]).play { application in
      let window = try application.session(showing: "doc")
      #expect(window == nil)
      let display = try application.session(showing: "doc", role: .windowExternalDisplay)
      #expect(display?.id == .number(1))
    }
  }

  @Test func `in a single-scene application it is the one session, if there is one`() async throws {
    try await Stage(isSingle: true).play { application in
      let none = try application.session(showing: "doc")
      #expect(none == nil)
      let session = try await application.host.newSession()
      let showing = try application.session(showing: "doc")
      #expect(showing == session)
    }
  }

  @Test func `an identifier over the limit is refused`() async throws {
    try await Stage().play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try application.session(showing: String(repeating: "x", count: 8_193))
      }
      #expect(code == .limitExceeded)
    }
  }

  // MARK: - URLs for others

  @Test(arguments: [true, false])
  func `a scene hands a URL to the host, and hears what came of it`(isOpened: Bool) async throws {
    let log = CallLog()
    let stage = Stage(log: log) {
      $0.opensURL = { url, universalLinksOnly in
        log.append("\(url), universal links only: \(universalLinksOnly)")
        return isOpened
      }
    }
    try await stage.play { application in
      let session = try await application.host.newSession()
      _ = log.take()
      let scene = try #require(application.scene(for: session.id))
      #expect(await scene.open("a") == isOpened)
      #expect(await scene.open("b", universalLinksOnly: true) == isOpened)
      #expect(
        log.take() == ["a, universal links only: false", "b, universal links only: true"])
    }
  }

  @Test func `without a host for it nothing opens it`() async throws {
    try await Stage().play { application in
      let session = try await application.host.newSession()
      let scene = try #require(application.scene(for: session.id))
      let isOpened = await scene.open("a")
      #expect(!isOpened)
    }
  }
}
