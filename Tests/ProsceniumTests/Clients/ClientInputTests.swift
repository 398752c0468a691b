// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// Input of clients is applied once.
@Suite(.timeLimit(.minutes(10))) struct ClientInputTests {
  private static let one = SessionIdentifier.number(1)

  private static func stored() -> InMemorySessionStore {
    InMemorySessionStore([.number(1, state: "")])
  }

  private static func text(_ application: Application) async throws -> String? {
    try await application.host.perform(.background(one))
    return application.session(one)?.stateRestorationActivity?.title
  }

  @Test func `input that comes twice is applied once, and acknowledged each time`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      for (text, number) in [("a", 1), ("b", 2), ("a", 1), ("b", 2), ("c", 3)] {
        try await client.send(SceneMessage(text), number: UInt64(number))
      }
      await application.settle()
      #expect(try await Self.text(application) == "abc")
      let again = try await application.attach(to: Self.one, as: .number(1), nextInput: 4)
      #expect(again.lastInput == 3)
      try await again.send("c", number: 3)
      try await again.send("d", number: 4)
      await application.settle()
      #expect(try await Self.text(application) == "abcd")
    }
  }

  @Test func `input is recognised after a kill and after an orderly end`() async throws {
    let store = Self.stored()
    for run in 0..<4 {
      let stage = Stage.transcripts(store: store) { $0.durability = .everyEvent }
      try await stage.play { application in
        let number = UInt64(run + 1)
        let client = try await application.attach(
          to: Self.one, as: .number(1), nextInput: number)
        #expect(client.lastInput == number - 1)
        for _ in 0..<2 {
          if run > 0 { try await client.send("again", number: number - 1) }
          try await client.send(SceneMessage("\(number)"), number: number)
        }
        await application.settle()
        if run.isMultiple(of: 2) { application.process.abandon() }
      }
    }
    #expect(store.sessions[0].stateRestorationActivity?.title == "1234")
  }

  @Test func `an input that comes again does not take an acknowledgement back`() async throws {
    let gate = CommitGate()
    let store = RemoteStore([.number(1, state: "")], onCommit: { _ in await gate.pass() })
    let stage = Stage.transcripts(store: store) { $0.durability = .everyEvent }
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      #expect(await Listener(client).read(1) == ["1 ="])
      gate.close()
      for number in [1, 2, 3, 1] { try await client.send("x", number: UInt64(number)) }
      await application.settle()
      gate.open()
      var acknowledged: [String] = []
      while acknowledged.last != "acknowledged 3" {
        let output = await Listener(client).read(1)
        acknowledged += output.filter { $0.hasPrefix("acknowledged") }
      }
      #expect(acknowledged == acknowledged.sorted())
    }
  }

  @Test func `a number and its effect are in one commit`() async throws {
    // Each commit that the store sees is a moment in which the process could have ended.
    let store = RemoteStore([.number(1, state: "")])
    let stage = Stage.transcripts(store: store) { $0.durability = .everyEvent }
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      let listener = Listener(client)
      _ = await listener.read(1)
      for number in 1...9 {
        try await client.send(SceneMessage("\(number)"), number: UInt64(number))
        _ = try await application.updateSession(Self.one) { $0.userInfo = ["n": .integer(0)] }
        let state = try SavedState(
          decoding: #require(store.kept.savedState(of: Self.one)))
        let last = state.clients.last(of: .number(1)) ?? 0
        #expect(state.activity?.title == (1..<(last + 1)).map { "\($0)" }.joined())
      }
    }
  }

  @Test func `without durability what was acknowledged may be lost, and the next input goes on`()
    async throws
  {
    let store = Self.stored()
    let first = Stage.transcripts(store: store)
    try await first.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      try await client.send("a", number: 1)
      await application.settle()
      #expect(try await Self.text(application) == "a")
      try await client.send("b", number: 2)
      await application.settle()
      let listener = Listener(client)
      #expect(await listener.read(1) == ["acknowledged 2"])
      application.process.abandon()
    }
    let second = Stage.transcripts(store: store)
    try await second.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1), nextInput: 4)
      #expect(client.lastInput == 1)
      // It does not have the second input any more.
      try await client.send("c", number: 3)
      await application.settle()
      #expect(try await Self.text(application) == "ac")
    }
  }

  @Test func `a client that comes back is told of its input once that is durable`() async throws {
    let gate = CommitGate()
    let store = RemoteStore([.number(1, state: "")], onCommit: { _ in await gate.pass() })
    let stage = Stage.transcripts(store: store) { $0.durability = .everyEvent }
    try await stage.play { application in
      let first = try await application.attach(to: Self.one, as: .number(1))
      #expect(await Listener(first).read(1) == ["1 ="])
      gate.close()
      try await first.send("a", number: 1)
      await application.settle()
      let isBack = Guarded(false)
      let coming = Task {
        let again = try await application.attach(to: Self.one, as: .number(1), nextInput: 2)
        isBack.withLock { $0 = true }
        return again.lastInput
      }
      #expect(await Listener(first).read(1) == ["ended takenOver"])
      for _ in 0..<100 { await Task.yield() }
      #expect(!isBack.withLock { $0 })
      gate.open()
      #expect(try await coming.value == 1)
    }
  }

  @Test func `a gap in the numbers ends the line`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      try await client.send("a", number: 1)
      try await client.send("c", number: 3)
      await application.settle()
      let listener = Listener(client)
      #expect(await listener.read(2) == ["ended wrongInput(expected: 2)", "nothing"])
      #expect(try await Self.text(application) == "a")
      #expect(
        await SceneError.code { () async throws(SceneError) in
          try await client.send("b", number: 2)
        } == .clientRefused)
    }
  }

  @Test func `a forgotten client is told, and what it sent before is never applied`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      for number in 1...9 {
        let client = try await application.attach(
          to: Self.one, as: .number(UInt64(number)), isVisible: false)
        try await client.send(SceneMessage("\(number)"), number: 1)
        await application.settle()
      }
      // It does not know whether its second input was applied.
      let first = try await application.attach(to: Self.one, as: .number(1), nextInput: 3)
      #expect(first.reset == .forgotten)
      #expect(first.lastInput == 2)
      try await first.send("late", number: 2)
      await application.settle()
      let listener = Listener(first)
      #expect(await listener.read(1) == ["ended wrongInput(expected: 3)"])
      // A client that was not told is told again.
      let again = try await application.attach(to: Self.one, as: .number(1), nextInput: 3)
      #expect(again.reset == .forgotten)
      try await again.send("!", number: 3)
      await application.settle()
      #expect(try await Self.text(application) == "123456789!")
      let known = try await application.attach(to: Self.one, as: .number(1), nextInput: 4)
      #expect(known.lastInput == 3)
      #expect(known.reset == .new)
    }
  }

  @Test func `a client whose first input never came is not forgotten`() async throws {
    let store = Self.stored()
    for run in 1...2 {
      let stage = Stage.transcripts(store: store) { $0.durability = .everyEvent }
      try await stage.play { application in
        // Its line broke, or the host was killed, while its input was on its way.
        let client = try await application.attach(
          to: Self.one, as: .number(UInt64(run)), nextInput: 2)
        #expect(client.reset == .new)
        #expect(client.lastInput == 0)
        try await client.send("\(run)", number: 1)
        try await client.send(".", number: 2)
        await application.settle()
        application.process.abandon()
      }
    }
    #expect(store.sessions[0].stateRestorationActivity?.title == "1.2.")
  }

  @Test func `a client whose numbers go back is refused`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      for number in 1...5 { try await client.send("x", number: UInt64(number)) }
      await application.settle()
      for next in [UInt64(0), 1, 5, .max] {
        let expected: SceneError.Code = 1...5 ~= next ? .clientRefused : .limitExceeded
        #expect(
          await SceneError.code { () async throws(SceneError) in
            try await application.attach(to: Self.one, as: .number(1), nextInput: next)
          } == expected)
      }
      for number in [UInt64(0), .max] {
        #expect(
          await SceneError.code { () async throws(SceneError) in
            try await client.send("x", number: number)
          } == .limitExceeded)
      }
    }
  }

  @Test func `input that came before the client was gone is applied`() async throws {
    let stage = Stage.transcripts(store: Self.stored())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1))
      try await client.send("bye", number: 1)
      client.detach()
      await application.settle()
      #expect(try await Self.text(application) == "bye")
    }
  }
}
