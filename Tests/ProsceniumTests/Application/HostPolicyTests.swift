// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@testable import Proscenium

/// The host's policy about what a program requests (semantics#errors).
@Suite struct HostPolicyTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  /// What a policy was asked, as `activation S1 by S2 active`.
  private static func text(
    _ request: SessionRequest, _ state: Scene.ActivationState?
  ) -> String {
    switch request {
    case .activate(let request):
      let text = "\(request.session?.label ?? "new") \(request.role.rawValue)"
      guard let requester = request.options.requestingScene else { return text }
      return "\(text) by \(requester.label) \(state?.letter ?? "without scene")"
    case .destroy(let session, _): return "end of \(session.label)"
    default: return "\(request)"
    }
  }

  private static func stage(
    allows: Bool = false
  ) -> (stage: Stage, asked: CallLog) {
    let asked = CallLog()
    let prefers = SceneActivationConditions(prefers: .equals("doc"))
    let store = InMemorySessionStore([.number(1), .number(2, conditions: prefers)])
    let stage = Stage(store: store, delegate: ApplicationScript()) {
      $0.identifiers = .counted(from: 3)
      $0.allowsRequest = { request, state in
        asked.append(text(request, state))
        return allows
      }
    }
    return (stage, asked)
  }

  private static func activation(
    _ application: Application, _ request: SceneSessionActivationRequest
  ) async -> SceneError.Code? {
    await SceneError.code { () throws(SceneError) in
      try await application.activateSceneSession(for: request)
    }
  }

  @Test func `it is asked about each request, with what the request comes to`() async throws {
    let (stage, asked) = Self.stage(allows: true)
    try await stage.play { application in
      let requests: [SceneSessionActivationRequest] = [
        .init(session: Self.one), .init(userActivity: .titled("", shows: "doc")),
        .init(userActivity: .titled("", shows: "other")), .init(role: .windowExternalDisplay),
      ]
      for request in requests {
        #expect(await Self.activation(application, request) == nil)
      }
      try await application.requestSceneSessionDestruction(Self.one)
      #expect(
        asked.take() == [
          "S1 windowApplication", "S2 windowApplication", "new windowApplication",
          "new windowExternalDisplay", "end of S1",
        ])
    }
  }

  @Test func `it knows who asks, and how near that is to the user`() async throws {
    let (stage, asked) = Self.stage(allows: true)
    try await stage.play { application in
      let options = Scene.ActivationRequestOptions(requestingScene: Self.one)
      let request = SceneSessionActivationRequest(session: Self.two, options: options)
      let steps: [@Sendable (ApplicationHost) async throws -> Void] = [
        { _ in }, { try await $0.perform(.connect(Self.one)) },
        { try await $0.perform(.open(Self.one)) },
        { try await $0.perform(.interrupt(Self.one)) }, { try await $0.perform(.close(Self.one)) },
      ]
      for step in steps {
        try await step(application.host)
        #expect(await Self.activation(application, request) == nil)
      }
      #expect(
        asked.take()
          == ["without scene", "B", "A", "I", "without scene"].map {
            "S2 windowApplication by S1 \($0)"
          })
    }
  }

  @Test func `what it refuses does not happen (R-ACTV-1)`() async throws {
    let (stage, asked) = Self.stage()
    try await stage.play { application in
      _ = stage.log.take()
      #expect(await Self.activation(application, .init(session: Self.one)) == .refusedByPolicy)
      #expect(await Self.activation(application, .init()) == .refusedByPolicy)
      let code = await SceneError.code { () throws(SceneError) in
        try await application.requestSceneSessionDestruction(Self.one)
      }
      #expect(code == .refusedByPolicy)
      application.submit(SessionRequest.activate(.init())) {
        stage.log.append("submitted: \($0.code)")
      }
      await application.settle()
      #expect(stage.log.take() == ["submitted: refusedByPolicy"])
      #expect(application.openSessions.count == 2)
      #expect(asked.take().count == 4)
    }
  }

  @Test func `it is not asked about a session that is not open`() async throws {
    let (stage, asked) = Self.stage()
    try await stage.play { application in
      #expect(await Self.activation(application, .init(session: .number(9))) == .sessionNotOpen)
      #expect(asked.take() == [])
    }
  }

  @Test func `users, the system, events and messages do not ask it`() async throws {
    let (stage, asked) = Self.stage()
    try await stage.play { application in
      let host = application.host
      let session = try await host.newSession()
      try await host.drop(OpenURLContext("file"))
      try await host.perform(.open(Self.one))
      try await host.perform(.interrupt(Self.one))
      try await host.perform(.resume(Self.one))
      try await host.perform(.background(Self.one))
      try await host.perform(.disconnect(Self.one))
      try await host.perform(.connect(Self.one))
      try await application.deliver(.activity(.titled("letter", shows: "doc")))
      try await application.requestSceneSessionRefresh(Self.one)
      try application.send("hello", to: Self.one)
      try await application.updateSession(session.id) { $0.title = "Letters" }
      try await host.perform(.close(session.id))
      #expect(asked.take() == [])
    }
  }
}
