// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import ProsceniumSimulation
import Testing

/// When states are captured, and what is acknowledged.
@Suite(.timeLimit(.minutes(10))) struct DurabilityTests {
  private static let one = SessionIdentifier.number(1)

  private static func text(_ store: RemoteStore) -> String? {
    store.kept.sessions.first?.stateRestorationActivity?.title
  }

  // MARK: - Policies

  @Test func `a marked state is captured after every event, and only then`() async throws {
    let store = RemoteStore()
    let stage = Stage.notebooks(store: store) { $0.durability = .everyEvent }
    try await stage.play { application in
      _ = try await application.host.newSession()
      for text in ["a", "b?", "c"] {
        try application.send(SceneMessage(text), to: Self.one)
        await application.settle()
      }
      #expect(
        stage.log.take() == [
          "restored \"\"", "captured \"a\"", "captured \"ab?c\"",
        ])
    }
  }

  @Test func `by default a state is captured in the background and at the end`() async throws {
    let store = RemoteStore()
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      try application.send("a", to: session.id)
      await application.settle()
      #expect(stage.log.take() == ["restored \"\""])
      try await application.host.perform(.background(session.id))
      try application.send("b", to: session.id)
      await application.settle()
      #expect(stage.log.take() == ["captured \"a\""])
      try await application.host.perform(.disconnect(session.id))
      #expect(stage.log.take() == ["captured \"ab\""])
    }
    #expect(Self.text(store) == "ab")
  }

  @Test func `a marked state is captured within the duration of its role`() async throws {
    let clock = ManualClock()
    let store = RemoteStore()
    let stage = Stage.notebooks(store: store) {
      $0.clock = clock
      $0.durabilityOfRoles[.windowApplication] = .within(.milliseconds(100))
    }
    try await stage.play { application in
      _ = try await application.host.newSession()
      try application.send("a", to: Self.one)
      await application.settle()
      clock.advance(by: .milliseconds(60))
      try application.send("b", to: Self.one)
      await application.settle()
      clock.advance(by: .milliseconds(39))
      await application.settle()
      #expect(stage.log.take() == ["restored \"\""])
      clock.advance(by: .milliseconds(1))
      await application.settle()
      #expect(stage.log.take() == ["captured \"ab\""])
      while application.durabilityReport.waiting > 0 { await Task.yield() }
      try application.send("c", to: Self.one)
      await application.settle()
      clock.advance(by: .milliseconds(100))
      await application.settle()
      #expect(stage.log.take() == ["captured \"abc\""])
      try await application.sendDurably("d", to: Self.one)
      #expect(application.durabilityReport.lossBound == .milliseconds(100))
    }
  }

  @Test func `an earlier deadline that comes later wakes the task that waits`() async throws {
    let clock = ManualClock()
    let log = CallLog()
    let script: Script = [
      "S1.willConnect": { $0.durability = .within(.seconds(50)) },
      "S2.willConnect": { $0.durability = .within(.seconds(5)) },
      "S1.didReceive": { $0.setNeedsCapture() }, "S2.didReceive": { $0.setNeedsCapture() },
    ]
    let stage = Stage(log: log, script, capturing: "x", store: RemoteStore()) { $0.clock = clock }
    try await stage.play { application in
      _ = try await application.host.newSession()
      _ = try await application.host.newSession()
      try application.send("a", to: Self.one)
      try application.send("a", to: SessionIdentifier.number(2))
      await application.settle()
      _ = log.take()
      clock.advance(by: .seconds(5))
      // No call of `settle` that would look by itself.
      while log.lines.isEmpty { await Task.yield() }
      #expect(log.take() == ["S2.capture A"])
    }
  }

  @Test func `an unchanged state is not written again`() async throws {
    let store = RemoteStore()
    let stage = Stage(
      ["S1.didReceive": { $0.setNeedsCapture() }], capturing: "same", store: store
    ) { $0.durability = .everyEvent }
    try await stage.play { application in
      _ = try await application.host.newSession()
      for _ in 0..<5 { try await application.sendDurably("a", to: Self.one) }
    }
    #expect(store.saves == 1)
  }

  // MARK: - Acknowledgements

  @Test func `what is sent durably is acknowledged after the commit that holds it`() async throws {
    let gate = CommitGate()
    let store = gate.store()
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      _ = try await application.host.newSession()
      gate.close()
      try await withThrowingTaskGroup { group in
        group.addTask {
          try await application.sendDurably("a?", to: Self.one)
          stage.log.append("acknowledged \(Self.text(store) ?? "")")
        }
        while !stage.log.lines.contains("captured \"a?\"") { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(stage.log.take().last == "captured \"a?\"")
        gate.open()
        try await group.waitForAll()
      }
      #expect(stage.log.take() == ["acknowledged a?"])
    }
  }

  @Test func `a store that refuses a state tells who waits, and takes it later`() async throws {
    let refusals = Refusals(1)
    let store = RemoteStore(onCommit: { (changes) throws(StoreError) in
      guard changes.contains(where: \.isSave) else { return }
      try refusals.refuse()
    })
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      let code = await SceneError.code { () throws(SceneError) in
        try await application.sendDurably("a", to: session.id)
      }
      #expect(code == .notDurable)
    }
    #expect(Self.text(store) == "a")
  }

  @Test func `effects run in order, after the commit`() async throws {
    let gate = CommitGate()
    let store = gate.store()
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      gate.close()
      for text in ["a!", "b?", "c!"] { try application.send(SceneMessage(text), to: session.id) }
      await application.settle()
      #expect(
        stage.log.take() == ["restored \"\"", "captured \"a!\"", "captured \"a!b?c!\""])
      gate.open()
      try await application.sendDurably("d", to: session.id)
      let effects = stage.log.take().filter { $0.hasPrefix("durable") }
      #expect(effects == ["durable \"a!\"", "durable \"a!b?c!\""])
    }
  }

  @Test func `effects of a state that is lost never run`() async throws {
    let gate = CommitGate()
    let store = gate.store()
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      gate.close()
      try application.send("a!", to: session.id)
      await application.settle()
      application.process.abandon()
      gate.open()
    }
    #expect(!stage.log.lines.contains("durable \"a!\""))
  }

  @Test func `an effect of a scene that was disconnected at once runs`() async throws {
    let store = RemoteStore()
    let log = CallLog()
    let script: Script = [
      "S1.didEnterBackground": { $0.afterDurable { log.append("durable") } }
    ]
    let stage = Stage(log: log, script, capturing: "x", store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
    }
    #expect(log.lines.contains("durable"))
  }

  @Test func `an effect in a store in memory runs after the callback`() async throws {
    let stage = Stage.notebooks(store: InMemorySessionStore())
    try await stage.play { application in
      let session = try await application.host.newSession()
      try application.send("a!", to: session.id)
      await application.settle()
      #expect(
        stage.log.take() == ["restored \"\"", "captured \"a!\"", "durable \"a!\""])
    }
  }

  // MARK: - Limits

  @Test func `a state that is too large is refused, and the last good one stays`() async throws {
    let store = RemoteStore()
    let failures = CallLog()
    let stage = Stage.notebooks(store: store) {
      $0.durability = .everyEvent
      $0.savedStateLimits = SavedStateLimits(byteCount: 1_000)
      $0.observer = { event in
        if case .failed(let error) = event.kind { failures.append("\(error)") }
      }
    }
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.sendDurably("good", to: session.id)
      let long = SceneMessage(String(repeating: "x", count: 2_000) + "!")
      let code = await SceneError.code { () throws(SceneError) in
        try await application.sendDurably(long, to: session.id)
      }
      #expect(code == .notDurable)
      #expect(application.session(Self.one)?.stateRestorationActivity?.title == "good")
    }
    #expect(Self.text(store) == "good")
    let first = try #require(failures.lines.first)
    #expect(first.contains("limitExceeded") && first.contains("title 2"))
    #expect(!stage.log.lines.contains { $0.hasPrefix("durable") })
  }

  @Test func `a sender is slowed down while the store is far behind`() async throws {
    let gate = CommitGate()
    let stage = Stage.notebooks(store: gate.store()) {
      $0.durability = .everyEvent
      $0.savedStateLimits = SavedStateLimits(byteCount: 8 << 20)
    }
    try await stage.play { application in
      let session = try await application.host.newSession()
      gate.close()
      let chunk = SceneMessage(String(repeating: "x", count: SceneMessage.sizeLimit))
      var sent = 0
      while await SceneError.code(of: { () throws(SceneError) in
        try application.send(chunk, to: session.id)
      }) != .systemBusy {
        await application.settle()
        sent += 1
        try #require(sent < 200)
      }
      // Each capture holds everything that was sent so far.
      #expect(sent > 30)
      try await withThrowingTaskGroup { group in
        group.addTask { try await application.sendWithBackpressure("last?", to: session.id) }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        try await group.waitForAll()
      }
    }
  }
}

/// Refuses a number of times.
private final class Refusals: Sendable {
  private let left: Guarded<Int>

  init(_ count: Int) {
    left = Guarded(count)
  }

  func refuse() throws(StoreError) {
    try left.withLock { (left) throws(StoreError) in
      guard left > 0 else { return }
      left -= 1
      throw StoreError(.full, "there is no room")
    }
  }
}
