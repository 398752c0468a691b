// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation
import Testing

@testable import Proscenium

/// What a session's clients receive.
@Suite(.timeLimit(.minutes(10))) struct OutputTests {
  private static let one = SessionIdentifier.number(1)

  private static func stored(_ text: String = "a") -> InMemorySessionStore {
    InMemorySessionStore([.number(1, state: text)])
  }

  private static func frame(_ count: UInt64, of client: SceneClient) -> FrameNumber {
    FrameNumber(epoch: client.epoch, count: count)
  }

  @Test func `a new client gets everything again, and what follows in order`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      #expect(client.reset == .new)
      #expect(client.lastInput == 0)
      try await client.send("b", number: 1)
      try await client.send("c", number: 2)
      await application.settle()
      let listener = Listener(client)
      #expect(await listener.read(4) == ["acknowledged 2", "1 =a", "2 +b", "3 +c"])
    }
  }

  @Test func `a client that comes back gets exactly what it has missed`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      try await first.send("b", number: 1)
      await application.settle()
      first.detach()
      try application.send("c", to: Self.one)
      await application.settle()
      let second = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: Self.frame(1, of: first), nextInput: 2)
      #expect(second.reset == nil)
      #expect(second.lastInput == 1)
      #expect(second.epoch == first.epoch)
      let listener = Listener(second)
      #expect(await listener.read(2) == ["2 +b", "3 +c"])
      let old = Listener(first)
      #expect(await old.read(1) == ["nothing"])
    }
  }

  @Test func `what is acknowledged is not kept`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      try await client.send("b", number: 1)
      await application.settle()
      #expect(throws: SceneError(.clientRefused, session: Self.one, "")) {
        try client.acknowledge(Self.frame(1, of: client))
      }
      let listener = Listener(client)
      _ = await listener.read(3)
      try client.acknowledge(Self.frame(2, of: client))
      let again = try await application.attach(
        to: Self.one, as: .number(1), lastSeen: Self.frame(1, of: client), nextInput: 2)
      #expect(again.reset == .overflow)
      #expect(throws: SceneError(.clientRefused, session: Self.one, "")) {
        try again.acknowledge(FrameNumber(epoch: client.epoch + 1, count: 1))
      }
    }
  }

  @Test func `after a launch everything is again, with numbers that were never used`()
    async throws
  {
    let store = Self.stored()
    var seen: FrameNumber?
    for launch in 0..<3 {
      let stage = Stage.transcripts(store: store)
      try await stage.play { [seen] application in
        let client = try await application.attach(
          to: Self.one, as: .number(1), lastSeen: seen, nextInput: 1)
        #expect(client.reset == (launch == 0 ? .new : .epoch))
        #expect(client.epoch > seen?.epoch ?? 0)
        let listener = Listener(client)
        #expect(await listener.read(1) == ["1 =a"])
      }
      seen = FrameNumber(epoch: UInt64(launch + 1) << 32 | 1, count: 1)
    }
  }

  @Test func `a client that does not read holds up nothing, and is reset when it does`()
    async throws
  {
    let stage = Stage.transcripts(store: Self.stored("")) { $0.clientRules.frameLimit = 4 }
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      let listener = Listener(client)
      #expect(await listener.read(1) == ["1 ="])
      for number in 1...100 { try await client.send("x", number: UInt64(number)) }
      await application.settle()
      let text = String(repeating: "x", count: 100)
      #expect(await listener.read(3) == ["acknowledged 100", "reset overflow", "102 =\(text)"])
      try await client.send("y", number: 101)
      #expect(await listener.read(2).sorted() == ["103 +y", "acknowledged 101"])
    }
  }

  @Test func `what is emitted at once and finds no room ends the line`() async throws {
    let stage = Stage(
      manifest: [SceneConfiguration("Main") { Flood() }],
      settings: { $0.clientRules.frameLimit = 4 })
    try await stage.play { application in
      try await application.host.newSession()
      let listener = Listener(try await application.attach(to: Self.one, as: .number(1)))
      #expect(await listener.read(2) == ["ended outputTooLarge", "nothing"])
    }
  }

  private final class Flood: ClientSceneDelegate {
    func scene(_ scene: isolated Scene, renderAfter reset: OutputReset) {
      for _ in 0..<5 { scene.emit("drop") }
    }
  }

  @Test func `a frame leaves after the commit of the state that it shows`() async throws {
    let gate = CommitGate()
    let store = RemoteStore([.number(1, state: "a")], onCommit: { _ in await gate.pass() })
    let stage = Stage.transcripts(store: store) { $0.durability = .everyEvent }
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      let listener = Listener(client)
      #expect(await listener.read(1) == ["1 =a"])
      await application.settle()
      gate.close()
      let before = gate.arrivals
      try await client.send("b", number: 1)
      await application.settle()
      while gate.arrivals == before { await Task.yield() }
      #expect(client.line.change { $0.take(client.number) } == nil)
      gate.open()
      #expect(await listener.read(2) == ["acknowledged 1", "2 +b"])
      #expect(store.kept.sessions[0].stateRestorationActivity?.title == "ab")
    }
  }

  @Test func `a frame of a state that was not kept is never shown`() async throws {
    let stage = Stage.transcripts(store: InMemorySessionStore([.number(1, state: "a")])) {
      $0.durability = .everyEvent
      $0.savedStateLimits = SavedStateLimits(byteCount: 200)
    }
    try await stage.play { application in
      let client = Listener(
        try await application.attach(to: Self.one, as: .number(1), isVisible: false))
      #expect(await client.read(1) == ["1 =a"])
      // The state that it leads to is too large to be kept, and goes with the scene.
      try application.send(SceneMessage(String(repeating: "x", count: 300)), to: Self.one)
      await application.settle()
      try await application.host.perform(.disconnect(Self.one))
      try application.send("b", to: Self.one)
      await application.settle()
      #expect(await client.read(1) == ["2 +b"])
      try await application.host.perform(.disconnect(Self.one))
      try application.send("c", to: Self.one)
      await application.settle()
      #expect(await client.read(1) == ["3 +c"])
      #expect(try await application.savedState(of: Self.one).activity?.title == "abc")
    }
  }

  @Test func `a session without a client keeps nothing of its output`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      try application.send("b", to: Self.one)
      await application.settle()
      #expect(await application.scene(for: Self.one)?.hasClients == false)
      let listener = Listener(try await application.attach(to: Self.one, as: .number(1)))
      #expect(await listener.read(1) == ["1 =ab"])
    }
  }

  @Test func `a scene comes and goes while the line stays`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1), isVisible: false)
      let listener = Listener(client)
      #expect(await listener.read(1) == ["1 =a"])
      try await application.host.perform(.disconnect(Self.one))
      #expect(application.scene(for: Self.one) == nil)
      _ = stage.log.take()
      try await client.send("b", number: 1)
      #expect(await listener.read(2).sorted() == ["2 +b", "acknowledged 1"])
      #expect(stage.log.take() == ["connected a"])
      await application.scene(for: Self.one)?.emit("from outside")
      #expect(await listener.read(1) == ["3 from outside"])
    }
  }

  @Test func `lines end with their session and with the application`() async throws {
    let stage = Stage.transcripts(store: InMemorySessionStore([.number(1), .number(2)]))
    let (clients, attached) = AsyncStream.makeStream(of: SceneClient.self)
    try await stage.play { application in
      for number in 1...2 {
        let client = try await application.attach(
          to: .number(UInt64(number)), as: .number(UInt64(number)))
        let listener = Listener(client)
        #expect(await listener.read(1) == ["1 ="])
        attached.yield(client)
      }
      try await application.requestSceneSessionDestruction(.number(1))
    }
    attached.finish()
    var ends: [String] = []
    for await client in clients {
      let listener = Listener(client)
      ends += await listener.read(2)
    }
    #expect(ends == ["ended sessionEnded", "nothing", "ended applicationEnded", "nothing"])
  }
}
