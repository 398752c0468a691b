// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Logging
import ProsceniumPrimitives
@testable import Proscenium
import ProsceniumSimulation
import Testing

/// How changes reach a store that is not in the process's memory.
@Suite struct SnapshotWriterTests {
  /// Heeds cancellation, and refuses some commits.
  private static func heeding(
    refusals: Int
  ) -> @Sendable ([StoreChange]) async throws(StoreError) -> Void {
    let count = Counter()
    return { (_) throws(StoreError) in
      if Task.isCancelled { throw StoreError(.failed, "the task is cancelled") }
      if count.next() < refusals { throw StoreError(.full, "there is no room") }
    }
  }

  private final class Counter: Sendable {
    private let count = Guarded(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count - 1
      }
    }
  }

  @Test func `the end of a cancelled run reaches a store that heeds cancellation`() async throws {
    let store = RemoteStore(onCommit: Self.heeding(refusals: 0))
    let stage = Stage(capturing: "the end", store: store)
    try await stage.play { application in
      for _ in 0..<3 { try await application.host.newSession() }
    }
    let kept = store.kept.sessions
    #expect(kept.count == 3)
    #expect(kept.allSatisfy { $0.stateRestorationActivity?.title == "the end" })
  }

  @Test func `what a store refused is offered again, in order, and nothing is lost`() async throws {
    let store = RemoteStore(onCommit: Self.heeding(refusals: 2))
    let stage = Stage(capturing: "kept", store: store) { $0.clock = InstantClock() }
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
    }
    let kept = store.kept.sessions
    #expect(kept.map(\.stateRestorationActivity?.title) == ["kept"])
  }

  @Test(arguments: 0...3) func `the last commit of a run is offered again as well`(
    refusals: Int
  ) async throws {
    let store = RemoteStore(onCommit: Self.heeding(refusals: refusals))
    var settings = ApplicationSettings()
    settings.clock = InstantClock()
    let writer = SnapshotWriter(
      store, clock: settings.clock, interval: settings.commitInterval,
      metrics: settings.metrics,
      events: EventHub(clock: settings.clock, observers: [], log: Logger(label: "test")),
      log: Logger(label: "test"))
    writer.write(.insert(SessionRow(persistentIdentifier: .number(1))), of: .number(1))
    writer.close()
    try await writer.serve()
    #expect(store.kept.sessions.map(\.persistentIdentifier) == [.number(1)])
  }

  @Test(arguments: [
    (5, ["error: the store refused changes", "notice: the store takes changes again"]),
    (.max, ["error: the store refused changes"]),
  ])
  func `a store that refuses the same again and again is reported once`(
    refusals: Int, lines: [String]
  ) async throws {
    let log = CallLog()
    var settings = ApplicationSettings()
    settings.clock = InstantClock()
    let writer = SnapshotWriter(
      RemoteStore(onCommit: Self.heeding(refusals: refusals)), clock: settings.clock,
      interval: settings.commitInterval,
      metrics: settings.metrics,
      events: EventHub(
        clock: settings.clock, observers: [], log: DiagnosticsLog.logger(log)),
      log: DiagnosticsLog.logger(log))
    writer.write(.insert(SessionRow(persistentIdentifier: .number(1))), of: .number(1))
    writer.close()
    try? await writer.serve()
    #expect(log.lines == lines)
  }

  @Test func `changes that no caller awaits gather after a commit`() throws {
    let sizes = Guarded<[Int]>([])
    let executor = SeededExecutor(seed: 1)
    try executor.run(steps: 100_000) {
      let store = RemoteStore(onCommit: { (changes) throws(StoreError) in
        sizes.withLock { $0.append(changes.count) }
      })
      let stage = Stage(capturing: "it", store: store) { settings in
        settings.taskExecutor = executor
        settings.clock = executor.clock
      }
      try await stage.play { application in
        let first = try await application.host.newSession()
        try await executor.clock.sleep(for: .milliseconds(20))
        sizes.withLock { $0 = [] }
        // After a pause the first change is committed at once, what follows within 10 ms.
        for _ in 0..<4 { try await application.host.newSession() }
        try await executor.clock.sleep(for: .milliseconds(9))
        #expect(sizes.withLock { $0.count } == 1)
        try await executor.clock.sleep(for: .milliseconds(2))
        #expect(sizes.withLock { $0.count } == 2)
        // Who waits does not wait for others, and takes along what is there.
        for _ in 0..<4 { try await application.host.newSession() }
        let before = executor.clock.now
        try await application.sendDurably("now", to: first.id)
        #expect(executor.clock.now == before)
        #expect(sizes.withLock { $0.count } == 3)
        #expect(store.kept.sessions.count == 9)
      }
    }
  }

  @Test func `a store that refuses to the end fails the run with its error`() async throws {
    let store = RemoteStore(onCommit: Self.heeding(refusals: .max))
    let stage = Stage(store: store) { $0.clock = InstantClock() }
    await #expect(throws: StoreError.self) {
      try await stage.play { application in try await application.host.newSession() }
    }
  }

  @Test func `a session that cannot be written keeps no other one from being saved`()
    async throws
  {
    let damaged = Guarded<SessionIdentifier?>(nil)
    let store = RemoteStore(refusing: { changes in
      let found = damaged.withLock { $0 }
      guard let found, changes.contains(where: { $0.session == found }) else { return [:] }
      return [found: StoreError(.damaged, session: found, "its page cannot be read")]
    })
    let stage = Stage.notebooks(store: store)
    let refused = Guarded<[SessionIdentifier?]>([])
    try await stage.play { application in
      var sessions: [SessionIdentifier] = []
      for _ in 0..<5 {
        sessions.append(try await application.host.newSession().persistentIdentifier)
      }
      for session in sessions { try await application.sendDurably("a", to: session) }
      damaged.withLock { $0 = sessions[2] }
      for _ in 0..<2 {
        // One pass of a shard brings all of them.
        for session in sessions { try application.send("b!", to: session) }
        for session in sessions {
          do throws(SceneError) {
            try await application.sendDurably("c", to: session)
          } catch {
            #expect(error.code == .notDurable)
            refused.withLock { $0.append(error.session) }
          }
        }
      }
      #expect(refused.withLock { $0 } == [sessions[2], sessions[2]])
    }
    let texts = store.kept.sessions.map { $0.stateRestorationActivity?.title ?? "" }
    #expect(texts.sorted() == ["a"] + Array(repeating: "ab!cb!c", count: 4))
    let effects = stage.log.lines.filter { $0.hasPrefix("durable") }
    #expect(effects.count == 8, "\(effects)")
  }
}

/// A clock whose sleeps end at once, unless the task is cancelled.
private struct InstantClock: Clock {
  let real = ContinuousClock()

  var now: ContinuousClock.Instant { real.now }
  var minimumResolution: Duration { real.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
  }
}
