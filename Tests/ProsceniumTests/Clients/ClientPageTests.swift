// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// What the page about clients shows.
@Suite(.timeLimit(.minutes(10))) struct ClientPageTests {
  private struct Step: Codable, Sendable, Hashable {
    var name: String
    var isDone: Bool
  }

  private final class Painter: ClientSceneDelegate {
    private var steps: [Step] = []

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      if let step = try? message.decode(as: Step.self) { steps.append(step) }
      scene.emit(message)
    }

    func scene(
      _ scene: isolated Scene, streamReplyTo message: SceneMessage, into reply: ReplyStream
    ) {
      for step in steps { try? reply.send(SceneMessage(step.name)) }
      reply.finish()
    }
  }

  @Test func `a client sends input and shows frames`() async throws {
    let stage = Stage(manifest: [SceneConfiguration("Main") { Painter() }])
    let shown = Guarded<[SceneMessage]>([])
    try await stage.play { application in
      let session = try await application.host.newSession().id
      let identifier = ClientIdentifier(high: 0x0123_4567_89AB_CDEF, low: 1)
      let show: @Sendable (SceneMessage) -> Void = { frame in shown.withLock { $0.append(frame) } }
      let reading = Task {
        let client = try await application.attach(to: session, as: identifier)
        try await client.send("draw a map", number: 1)
        while let output = await client.next() {
          if case .frame(let frame) = output { show(frame.content) }
        }
      }
      while shown.withLock(\.isEmpty) { await Task.yield() }
      let client = try await application.attach(to: session, as: identifier, nextInput: 2)
      try await reading.value
      try await client.send(SceneMessage(encoding: Step(name: "read", isDone: true)), number: 2)
      await application.settle()
      var pieces: [String] = []
      let reply = try await application.stream("which steps?", to: session)
      while let piece = try await reply.next() { pieces.append(piece.string) }
      #expect(pieces == ["read"])
    }
    #expect(shown.withLock { $0 } == ["draw a map"])
  }

  @Test func `a session has an owner, and ends when no one uses it`() async throws {
    let stage = Stage.transcripts { settings in
      settings.clientRules.expiry = .seconds(30 * 86_400)
    }
    try await stage.play { application in
      let identifier = ClientIdentifier(high: 1, low: 1)
      let options = Scene.ActivationRequestOptions(owner: "anna")
      let session = try await application.activateSceneSession(for: .init(options: options))
      let all = application.sessions(of: "anna")
      let client = try await application.attach(to: session.id, as: identifier, of: "anna")
      #expect(all == [session])
      #expect(client.session == session.id)
    }
  }

  @Test func `identifiers are written as digits`() throws {
    let identifier = ClientIdentifier(high: 0x0123_4567_89AB_CDEF, low: 10)
    #expect(identifier.description == "0123456789abcdef000000000000000a")
    #expect(ClientIdentifier("0123456789ABCDEF000000000000000A") == identifier)
    for text in ["", "0123456789abcdef000000000000000", "0123456789abcdef+00000000000000a"] {
      #expect(ClientIdentifier(text) == nil)
    }
    #expect(ClientIdentifier(high: 0, low: .max) < ClientIdentifier(high: 1, low: 0))
  }
}
