// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Sessions that end since no one uses them: after an hour in these tests.
@Suite(.timeLimit(.minutes(10))) struct ExpiryTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)
  private let clock = ManualClock()
  private let ends = CallLog()

  private func stage(
    _ store: any SessionStore, _ change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage.transcripts(store: store) { [ends] settings in
      settings.clock = clock
      settings.clientRules.expiry = .seconds(3_600)
      settings.observedTopics = .lives
      settings.observer = { event in
        guard case .discarded(let reason) = event.kind, let session = event.session else { return }
        ends.append("\(session.low & 0xFF) \(reason)")
      }
      change(&settings)
    }
  }

  private func memory() -> InMemorySessionStore {
    InMemorySessionStore([.number(1, state: "a"), .number(2, state: "b")])
  }

  private func takeEnds() -> [String] { ends.take() }

  /// Lets time pass, with a look at what is due every twenty seconds.
  private func pass(_ seconds: Int, _ application: Application) async {
    for start in stride(from: 0, to: seconds, by: 20) {
      clock.advance(by: .seconds(min(20, seconds - start)))
      await application.settle()
    }
  }

  @Test func `a session that no one uses ends, not before its time and not long after`()
    async throws
  {
    let stage = stage(memory())
    try await stage.play { application in
      await pass(1_000, application)
      try application.send("x", to: Self.one)
      await application.settle()
      await pass(3_600 - 1_000, application)
      #expect(application.openSessions.count == 2)
      // It was seen for the first time in this run, which is when its time began.
      await pass(720, application)
      #expect(takeEnds() == ["2 expired"])
      await pass(1_000 - 720, application)
      #expect(application.openSessions.count == 1)
      await pass(720, application)
      #expect(takeEnds() == ["1 expired"])
    }
  }

  @Test func `what is used does not end: events, calls, input, and a user who is there`()
    async throws
  {
    let stage = stage(memory())
    try await stage.play { application in
      let client = try await application.attach(to: Self.one, as: .number(1), isVisible: false)
      for _ in 0..<5 {
        await pass(3_000, application)
        _ = try? await application.call("x", to: Self.two)
      }
      #expect(takeEnds() == [])
      client.detach()
      for number in 1...3 as ClosedRange<UInt64> {
        await pass(3_000, application)
        let client = try await application.attach(
          to: Self.one, as: .number(1), nextInput: number, isVisible: false)
        try await client.send("y", number: number)
        client.detach()
      }
      #expect(takeEnds() == ["2 expired"])
      await pass(3_600 - 20, application)
      #expect(takeEnds() == [])
      await pass(740, application)
      #expect(takeEnds() == ["1 expired"])
    }
  }

  @Test func `a scene in the foreground is used, one that is only connected or watched is not`()
    async throws
  {
    let stage = stage(memory())
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try await application.host.perform(.connect(Self.two))
      _ = try await application.attach(to: Self.two, as: .number(1), watches: true)
      await pass(4_320, application)
      #expect(takeEnds() == ["2 expired"])
      try await application.host.perform(.background(Self.one))
      await pass(3_600 - 20, application)
      #expect(takeEnds() == [])
      await pass(740, application)
      #expect(takeEnds() == ["1 expired"])
    }
  }

  @Test func `a wake is no use`() async throws {
    let stage = stage(memory())
    try await stage.play { application in
      _ = try await application.wake(Self.one, at: .distantFuture, .titled("w"))
      await pass(4_320, application)
      #expect(takeEnds().sorted() == ["1 expired", "2 expired"])
    }
  }

  @Test func `time while nothing runs does not count, and time in earlier runs does`()
    async throws
  {
    let store = memory()
    for _ in 0..<6 {
      try await stage(store).play { application in
        await pass(600, application)
        #expect(application.openSessions.count == 2)
      }
      clock.advance(by: .seconds(100_000))
    }
    try await stage(store).play { application in
      // A minute of running time was before the first look, and some more until the next one.
      await pass(60, application)
      #expect(takeEnds() == [])
      await pass(740, application)
      #expect(takeEnds().sorted() == ["1 expired", "2 expired"])
    }
    #expect(store.sessions.isEmpty)
  }

  @Test func `the end of a run without warning makes no session end early`() async throws {
    let store = memory()
    let first = stage(store)
    try await first.play { application in
      await pass(300, application)
      // Used, and killed before anything was noted of it.
      try application.send("x", to: Self.one)
      application.core.abandon()
    }
    try await stage(store).play { application in
      await pass(3_600 - 20, application)
      #expect(takeEnds() == [])
      await pass(740, application)
      #expect(takeEnds().sorted() == ["1 expired", "2 expired"])
    }
  }

  @Test func `the first use after a rest is kept at once`() async throws {
    let store = memory()
    try await stage(store).play { application in
      await pass(3_000, application)
      try application.send("x", to: Self.one)
      await application.settle()
      application.core.abandon()
    }
    try await stage(store).play { application in
      await pass(1_460, application)
      #expect(takeEnds() == ["2 expired"])
      await pass(3_600 - 1_460, application)
      #expect(takeEnds() == [])
      await pass(740, application)
      #expect(takeEnds() == ["1 expired"])
    }
  }

  @Test func `a use is written with its message, also if another session ends in the same pass`()
    throws
  {
    let seeds = 1...20 as ClosedRange<UInt64>
    let saved = try seeds.filter { seed in
      let (isSaved, isUsed) = try message(seed) { application in
        try await application.host.perform(.close(Self.two))
      }
      #expect(isSaved == isUsed, "seed \(seed)")
      return isSaved
    }
    // In other orders the message comes after the end.
    #expect(!saved.isEmpty && saved.count < 20)
  }

  @Test func `a use is written with its message, also if its session is handed over`() throws {
    let seeds = 1...20 as ClosedRange<UInt64>
    let saved = try seeds.filter { seed in
      let (isSaved, isUsed) = try message(seed) { application in
        _ = try await application.slices.handOver { _ in true }
      }
      #expect(isSaved == isUsed, "seed \(seed)")
      return isSaved
    }
    #expect(!saved.isEmpty && saved.count < 20)
  }

  /// Ends a session while a message is sent, in the order of a seed.
  ///
  /// - Returns: Whether the store had the message, and the use by it, when a session ended.
  private func message(
    _ seed: UInt64, while end: @escaping @Sendable (Application) async throws -> Void
  ) throws -> (isSaved: Bool, isUsed: Bool) {
    let executor = SeededExecutor(seed: seed)
    let store = memory()
    let kept = { @Sendable in store.sessions.first { $0.persistentIdentifier == Self.one } }
    let atEnd = Guarded<StoredSession?>(nil)
    let stage = stage(store) { settings in
      settings.taskExecutor = executor
      settings.clock = executor.clock
      settings.shards = 1
      settings.observer = { event in
        guard case .discarded = event.kind else { return }
        let session = kept()
        atEnd.withLock { $0 = session }
      }
    }
    return try executor.run(steps: 100_000) {
      let before = Guarded<StoredSession?>(nil)
      try await stage.play { application in
        try await application.host.perform(.connect(Self.one))
        for _ in 0..<100 {
          executor.clock.advance(by: .seconds(20))
          await application.settle()
        }
        let session = kept()
        before.withLock { $0 = session }
        async let message: Void? = try? application.sendDurably("x", to: Self.one)
        async let end: Void = end(application)
        _ = try await (message, end)
      }
      // Nothing tells of a session that is handed over.
      let (old, new) = (before.withLock { $0 }, atEnd.withLock { $0 } ?? kept())
      return (
        old?.stateRestorationActivity?.title != new?.stateRestorationActivity?.title,
        old?.lastUsed != new?.lastUsed
      )
    }
  }

  @Test func `after a launch, and after the store's return, clients have time to come back`()
    async throws
  {
    var sessions = (1...3 as ClosedRange<UInt64>).map { StoredSession.number($0) }
    for index in sessions.indices { sessions[index].lastUsed = 0 }
    let refuses = Guarded(true)
    let store = RemoteStore(
      sessions,
      onCommit: { _ throws(StoreError) in
        if refuses.withLock({ $0 }) { throw StoreError(.failed, "planted") }
      })
    try await store.setRunningTime(10_000_000, epoch: 0)
    let stage = stage(store) { $0.clientRules.gracePeriod = .seconds(30) }
    try await stage.play { application in
      await pass(20, application)
      #expect(takeEnds() == [])
      let client = try await application.attach(to: Self.one, as: .number(1), isVisible: false)
      // What comes for another session shows that the store refuses everything.
      // Not awaited here: it is told only when the clock has moved.
      let refused = Task { try await application.sendDurably("x", to: Self.two) }
      while application.core.writer.lastRefusal == nil { await Task.yield() }
      await pass(200, application)
      #expect(takeEnds() == [])
      refuses.withLock { $0 = false }
      // Who waits for a commit is told by the next offer at the latest.
      let writer = application.core.writer
      while writer.lastRefusal == writer.now {
        clock.advance(by: .milliseconds(100))
        for _ in 0..<100 { await Task.yield() }
      }
      _ = await refused.result
      await pass(20, application)
      #expect(takeEnds() == [])
      await pass(20, application)
      #expect(takeEnds() == ["3 expired"])
      client.detach()
    }
  }

  @Test func `a thousand sessions end in a second, and no more`() async throws {
    var sessions = (1...2_500 as ClosedRange<UInt64>).map { StoredSession.number($0) }
    for index in sessions.indices { sessions[index].lastUsed = 0 }
    let store = InMemorySessionStore(sessions)
    try await store.setRunningTime(10_000_000, epoch: 0)
    let stage = stage(store)
    try await stage.play { application in
      clock.advance(by: .seconds(10))
      await application.settle()
      var counts = [takeEnds().count]
      for _ in 0..<3 {
        for _ in 0..<100 {
          clock.advance(by: .milliseconds(10))
          await application.settle()
        }
        counts.append(takeEnds().count)
      }
      #expect(counts[0] <= 20)
      #expect(counts[1...2].allSatisfy { (990...1_010).contains($0) }, "\(counts)")
      #expect(counts.reduce(0, +) == 2_500)
    }
  }

  @Test func `roles have limits of their own, and without one nothing is noted`() async throws {
    let store = memory()
    let stage = stage(store) { settings in
      settings.clientRules.expiry = nil
      settings.clientRulesOfRoles["kiosk"] = ClientRules()
      settings.clientRulesOfRoles["kiosk"]?.expiry = .seconds(60)
    }
    try await stage.play { application in
      try application.send("x", to: Self.one)
      await pass(10_000, application)
      #expect(takeEnds() == [])
    }
    #expect(store.sessions.map(\.lastUsed) == [nil, nil])
  }
}
