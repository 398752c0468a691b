// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Whose sessions are, and who may attach to them.
@Suite(.timeLimit(.minutes(10))) struct OwnerTests {
  private static let one = SessionIdentifier.number(1)

  private func activate(
    _ application: Application, _ owner: String?, from requester: SessionIdentifier? = nil,
    showing content: String? = nil
  ) async throws(SceneError) -> SceneSession {
    var activity: UserActivity?
    if let content {
      activity = .titled(content)
      activity?.targetContentIdentifier = content
    }
    return try await application.activateSceneSession(
      for: .init(
        userActivity: activity, options: .init(requestingScene: requester, owner: owner)))
  }

  @Test func `the sessions of an owner are found, also after a restart`() async throws {
    let store = InMemorySessionStore()
    let first = Stage.transcripts(store: store)
    try await first.play { application in
      let anna = try await activate(application, "anna")
      let second = try await application.host.newSession(owner: "anna")
      let bert = try await activate(application, "bert")
      _ = try await activate(application, nil)
      #expect(anna.owner == "anna")
      #expect(Set(application.sessions(of: "anna")) == [anna, second])
      #expect(application.sessions(of: "bert") == [bert])
      #expect(application.sessions(of: "carl") == [])
      // A window that a session opens is its owner's.
      let third = try await activate(application, nil, from: bert.id)
      #expect(third.owner == "bert")
      try await application.requestSceneSessionDestruction(second.id)
      #expect(application.sessions(of: "anna") == [anna])
    }
    try await Stage.transcripts(store: store).play { application in
      #expect(application.sessions(of: "anna").count == 1)
      #expect(application.sessions(of: "bert").count == 2)
      for session in application.sessions(of: "bert") {
        try await application.requestSceneSessionDestruction(session.id)
      }
      #expect(application.sessions(of: "bert") == [])
    }
    #expect(store.sessions.map(\.owner).filter { $0 == "bert" }.isEmpty)
  }

  @Test
  func `an owner has as many sessions as the host allows, and gets the place of one that ends`()
    async throws
  {
    let stage = Stage.transcripts { $0.ownerQuota = 2 }
    try await stage.play { application in
      let code: @Sendable (String?) async -> SceneError.Code? = { owner in
        await SceneError.code { () async throws(SceneError) in
          try await activate(application, owner)
        }
      }
      #expect(await code("anna") == nil)
      #expect(await code("anna") == nil)
      #expect(await code("anna") == .quotaReached)
      #expect(await code("bert") == nil)
      #expect(await code(nil) == nil)
      try await application.requestSceneSessionDestruction(application.sessions(of: "anna")[0].id)
      #expect(await code("anna") == nil)
      #expect(await code("anna") == .quotaReached)
    }
  }

  @Test(arguments: ["", String(repeating: "é", count: 129)])
  func `an owner without a name, or with too long a one, is refused`(owner: String) async throws {
    try await Stage.transcripts().play { application in
      #expect(
        await SceneError.code { () async throws(SceneError) in
          try await application.host.newSession(owner: owner)
        } == .limitExceeded)
      #expect(application.openSessions.isEmpty)
    }
  }

  @Test func `content of one user is not shown in the session of another`() async throws {
    let configuration = SceneConfiguration(
      "Main",
      initialConditions: { _ in SceneActivationConditions(prefers: .equals("page")) },
      { Transcript(CallLog()) })
    let stage = Stage(manifest: [configuration])
    try await stage.play { application in
      let anna = try await activate(application, "anna", showing: "page")
      #expect(try await activate(application, "anna", showing: "page") == anna)
      let bert = try await activate(application, "bert", showing: "page")
      #expect(bert != anna)
      #expect(bert.owner == "bert")
    }
  }

  @Test func `a client attaches to what belongs to its user, or to no one`() async throws {
    let stage = Stage.transcripts(store: InMemorySessionStore([.number(1, state: "a")]))
    try await stage.play { application in
      let owned = try await application.host.newSession(owner: "anna").id
      let code: @Sendable (SessionIdentifier, String?, Bool) async -> SceneError.Code? = {
        session, user, watches in
        await SceneError.code { () async throws(SceneError) in
          try await application.attach(
            to: session, as: .number(1), of: user, watches: watches)
        }
      }
      #expect(await code(owned, "anna", false) == nil)
      #expect(await code(owned, "bert", false) == .clientRefused)
      #expect(await code(owned, nil, true) == .clientRefused)
      #expect(await code(Self.one, nil, false) == nil)
      #expect(await code(Self.one, "bert", false) == nil)
      #expect(await code(.number(9), "bert", false) == .sessionNotOpen)
    }
  }

  @Test func `the host decides who attaches, and a client that is refused connects no scene`()
    async throws
  {
    let stage = Stage.transcripts(store: InMemorySessionStore([.number(1, state: "a")])) {
      $0.allowsClient = { session, client, user in
        session.id == Self.one && client == .number(7) && user == "guest"
      }
    }
    try await stage.play { application in
      let code: @Sendable (UInt64, String?) async -> SceneError.Code? = { client, user in
        await SceneError.code { () async throws(SceneError) in
          try await application.attach(to: Self.one, as: .number(client), of: user)
        }
      }
      #expect(await code(8, "guest") == .clientRefused)
      #expect(await code(7, nil) == .clientRefused)
      #expect(application.connectedSceneCount == 0)
      #expect(await code(7, "guest") == nil)
    }
  }
}
