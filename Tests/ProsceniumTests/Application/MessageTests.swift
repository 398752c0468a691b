// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Messages and calls to sessions.
@Suite struct MessageTests {
  @Test(
    "a message reaches the scene in whatever state it is, and changes none",
    arguments: ["A", "I", "B"])
  func states(letter: String) async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      if letter == "I" { try await application.host.perform(.interrupt(session.id)) }
      if letter == "B" { try await application.host.perform(.background(session.id)) }
      _ = stage.log.take()
      try application.send("hello", to: session.id)
      #expect(try await application.call("ping", to: session.id) == "gnip")
      #expect(
        stage.log.take() == ["S1.didReceive(hello) \(letter)", "S1.replyTo(ping) \(letter)"])
    }
  }

  @Test func `an archived session is connected in the background first`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1, state: "draft"), .number(2)]))
    try await stage.play { application in
      try application.send("hello", to: SessionIdentifier.number(1))
      try application.send("again", to: SessionIdentifier.number(1))
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willConnect U", "S1.restoreInteractionState(draft) B", "S1.didReceive(hello) B",
          "S1.didReceive(again) B",
        ])
      #expect(try await application.call("ping", to: SessionIdentifier.number(2)) == "gnip")
      #expect(stage.log.take() == ["S2.willConnect U", "S2.replyTo(ping) B"])
      #expect(application.applicationState == .background)
    }
  }

  /// No caller settles here: the shard's own task has to do it, again and again.
  @Test func `messages and calls alone wake the scene`() async throws {
    let stage = Stage(store: InMemorySessionStore([.number(1)])) { $0.shards = 1 }
    let events = stage.application.lifecycleEvents()
    let one = SessionIdentifier.number(1)
    try await stage.play { application in
      try application.send("first", to: one)
      for await event in events where event.line == "S1 connected" { break }
      for _ in 0..<20 {
        let reply = try await application.call("ping", to: one)
        #expect(reply == "gnip")
        await Task.yield()
      }
      try application.send("last", to: one)
      while stage.log.lines.last != "S1.didReceive(last) B" { await Task.yield() }
    }
  }

  @Test func `messages of one sender arrive in its order`() async throws {
    let stage = Stage { $0.eventLimit = 16 }
    let count = 200
    try await stage.play { application in
      var sessions: [SceneSession] = []
      for _ in 0..<3 { sessions.append(try await application.host.newSession()) }
      try await withThrowingTaskGroup { [sessions] group in
        for sender in 1...4 {
          group.addTask {
            for number in 0..<count {
              let message = SceneMessage("\(sender):\(number)")
              try await application.sendWithBackpressure(message, to: sessions[number % 3].id)
            }
          }
        }
        try await group.waitForAll()
      }
      await application.settle()
      let received = stage.log.take().filter { $0.contains("didReceive") }
      #expect(received.count == 4 * count)
      for sender in 1...4 {
        for session in 1...3 {
          let arrived = received.filter { $0.hasPrefix("S\(session).didReceive(\(sender):") }
          let sent = (0..<count).filter { $0 % 3 == session - 1 }
          #expect(arrived == sent.map { "S\(session).didReceive(\(sender):\($0)) A" })
        }
      }
    }
  }

  @Test func `a message keeps its place among requests`() async throws {
    let held = HeldExecutor()
    let stage = Stage { $0.useOneShard(on: held) }
    try await stage.play { application in
      let session = try await application.host.newSession()
      await application.settle()
      _ = stage.log.take()
      held.hold()
      try application.send("a", to: session.id)
      application.host.submit(.background(session.id))
      try application.send("b", to: session.id)
      application.host.submit(.disconnect(session.id))
      try application.send("c", to: session.id)
      application.submit(.destroy(session.id))
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.didReceive(a) A", "S1.willResignActive A", "S1.didEnterBackground B",
          "S1.capture B", "S1.didReceive(b) B", "S1.didDisconnect U", "S1.willConnect U",
          "S1.didReceive(c) B", "S1.didDisconnect U",
        ])
    }
  }

  // MARK: - Limits

  @Test func `a message over the limit is refused`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      let largest = SceneMessage(repeatElement(UInt8(ascii: "x"), count: SceneMessage.sizeLimit))
      let larger = SceneMessage(largest.bytes + [0])
      try application.send(largest, to: session.id)
      let codes = [
        await SceneError.code { () throws(SceneError) in
          try application.send(larger, to: session.id)
        },
        await SceneError.code { () throws(SceneError) in
          try await application.sendWithBackpressure(larger, to: session.id)
        },
        await SceneError.code { () throws(SceneError) in
          try await application.call(larger, to: session.id)
        },
      ]
      #expect(codes == [.limitExceeded, .limitExceeded, .limitExceeded])
    }
  }

  @Test func `a full queue refuses a message, and lets an awaiting sender wait`() async throws {
    let held = HeldExecutor()
    let stage = Stage {
      $0.useOneShard(on: held)
      $0.eventLimit = 2
    }
    try await stage.play { application in
      let session = try await application.host.newSession()
      await application.settle()
      _ = stage.log.take()
      held.hold()
      try application.send("a", to: session.id)
      try application.send("b", to: session.id)
      let code = await SceneError.code { () throws(SceneError) in
        try application.send("refused", to: session.id)
      }
      #expect(code == .systemBusy)
      async let room: Void = application.sendWithBackpressure("c", to: session.id)
      // A call is not refused: its caller waits anyway.
      async let reply = application.callBehindQueue("d", session.persistentIdentifier)
      await application.waitUntilQueued(3)
      #expect(stage.log.take() == [])
      held.letGo()
      try await room
      #expect(try await reply == "d")
      await application.settle()
      let log = stage.log.take()
      #expect(log.prefix(2) == ["S1.didReceive(a) A", "S1.didReceive(b) A"])
      #expect(Set(log.dropFirst(2)) == ["S1.didReceive(c) A", "S1.replyTo(d) A"])
    }
  }

  @Test func `a full queue has no room for an archived session either`() async throws {
    let held = HeldExecutor()
    let store = InMemorySessionStore([.number(1), .number(2)])
    let stage = Stage(store: store) {
      $0.useOneShard(on: held)
      $0.eventLimit = 1
    }
    try await stage.play { application in
      await application.settle()
      held.hold()
      try application.send("a", to: SessionIdentifier.number(1))
      let code = await SceneError.code { () throws(SceneError) in
        try application.send("b", to: SessionIdentifier.number(2))
      }
      #expect(code == .systemBusy)
      held.letGo()
      await application.settle()
      #expect(stage.log.take() == ["S1.willConnect U", "S1.didReceive(a) B"])
    }
  }

  // MARK: - What is not there

  @Test func `a message for a session that is not open is refused`() async throws {
    let stage = Stage()
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try application.send("hello", to: SessionIdentifier.number(99))
      }
      #expect(code == .sessionNotOpen)
    }
  }

  @Test func `a delegate that does not implement them leaves both unhandled`() async throws {
    let stage = Stage(manifest: [SceneConfiguration("Main", SilentDelegate.init)])
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try application.send("hello", to: session.id)
      let code = await SceneError.code { () throws(SceneError) in
        try await application.call("ping", to: session.id)
      }
      #expect(code == .unhandledCall)
    }
    #expect(
      await events.lines.filter { $0.hasSuffix("unhandledEvent") }
        == ["S1 unhandledEvent", "S1 unhandledEvent"])
  }

  @Test func `so does a scene without a delegate`() async throws {
    let stage = Stage(manifest: [SceneConfiguration(name: "Main", delegateClass: nil)])
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try application.send("hello", to: session.id)
      let code = await SceneError.code { () throws(SceneError) in
        try await application.call("ping", to: session.id)
      }
      #expect(code == .unhandledCall)
    }
    #expect(
      await events.lines.filter { $0.hasSuffix("unhandledEvent") }
        == ["S1 unhandledEvent", "S1 unhandledEvent"])
  }

  @Test func `changes that a message makes are seen and kept`() async throws {
    let store = InMemorySessionStore()
    let stage = Stage(
      [
        "S1.didReceive": { $0.title = "received" },
        "S1.replyTo": { $0.userInfo = ["replied": true] },
      ], store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      try application.send("hello", to: session.id)
      _ = try await application.call("ping", to: session.id)
      #expect(application.session(session.id)?.title == "received")
      #expect(application.session(session.id)?.userInfo == ["replied": true])
      #expect(store.sessions.map(\.title) == ["received"])
    }
  }
}
