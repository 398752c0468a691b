// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Sessions that come from another process and go to one, while the application runs.
@Suite struct SliceTests {
  /// A store whose sessions are served by another process, as far as its load says.
  private static func elsewhere(_ sessions: [StoredSession]) -> RemoteStore {
    RemoteStore(sessions, given: [])
  }

  /// An application that makes no session by itself.
  private static func stage(
    _ store: RemoteStore, delegate: ApplicationScript? = nil
  ) -> Stage {
    Stage(store: store, delegate: delegate) { $0.launch = .background }
  }

  private static func sessions(_ numbers: ClosedRange<UInt64>) -> [StoredSession] {
    numbers.map { .number($0) }
  }

  private static func rows(_ store: InMemorySessionStore) async throws -> [SessionRow] {
    let rows = Guarded<[SessionRow]>([])
    _ = try await store.copy().load { batch in rows.withLock { $0 += batch } }
    return rows.withLock { $0 }
  }

  @Test func `a session that is handed over is captured, and stays in the store`() async throws {
    let store = InMemorySessionStore(Self.sessions(1...2))
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      for number: UInt64 in [1, 2] {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      try application.send("last", to: .number(1))
      _ = stage.log.take()
      let (left, _) = try await application.slices.handOver { $0 == .number(1) }
      #expect(left.count == 1 && left.connected == [.init(.number(1), .active)])
      #expect(
        stage.log.take() == [
          "S1.didReceive(last) A", "S1.willResignActive A", "S1.didEnterBackground B",
          "S1.capture B", "S1.didDisconnect U",
        ])
      #expect(application.openSessions.map(\.id) == [.number(2)])
      #expect(throws: SceneError.self) { try application.send("late", to: .number(1)) }
      #expect(store.sessions.map(\.persistentIdentifier) == [.number(1), .number(2)])
      #expect(store.sessions[0].stateRestorationActivity?.title == "draft")
    }
    #expect(stage.application.core.leftovers == 0)
  }

  @Test func `scenes come back where they were, in the order of their activations`() async throws {
    let store = InMemorySessionStore(Self.sessions(1...5))
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      for number: UInt64 in [3, 1, 2, 4] {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      try await application.host.perform(.interrupt(.number(1)))
      try await application.host.perform(.background(.number(4)))
      let rows = try await Self.rows(store)
      let (left, _) = try await application.slices.handOver { _ in true }
      #expect(left.count == 5)
      #expect(
        left.connected == [
          .init(.number(3), .active), .init(.number(1), .inactive), .init(.number(2), .active),
          .init(.number(4), .background),
        ])
      try await application.slices.adopt(
        rows, epochs: [0: 2], bits: 10, handedOver: left, isAfterEnd: false)
      await application.settle()
      let states = (1...5).map { number in
        application.scene(for: .number(UInt64(number)))?.activationState
      }
      #expect(
        states == [
          .foregroundInactive, .foregroundActive, .foregroundActive, .background, nil,
        ])
      // The last one that is opened is the one that was active last.
      #expect(try application.route(nil).session == .number(2))
    }
  }

  @Test func `a state that the store refuses is told, whichever session it is of`() async throws {
    let store = RemoteStore(
      Self.sessions(1...2),
      refusing: { changes in
        guard changes.contains(where: { $0.session == .number(2) && $0.isSave }) else { return [:] }
        return [.number(2): StoreError(.damaged, session: .number(2), "it is damaged.")]
      })
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      for number: UInt64 in [1, 2] {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      let (left, _) = try await application.slices.handOver { _ in true }
      #expect(left.refusal?.code == .notDurable && left.refusal?.session == .number(2))
      #expect(application.openSessions.isEmpty)
    }
  }

  @Test func `a session goes when the store has taken what it has refused for now`() async throws {
    let left = Guarded(2)
    let store = RemoteStore(
      Self.sessions(1...2),
      onCommit: { (changes) throws(StoreError) in
        let isRefused = left.withLock { left in
          guard left > 0, changes.contains(where: \.isSave) else { return false }
          left -= 1
          return true
        }
        if isRefused { throw StoreError(.failed, session: nil, "it does not answer.") }
      })
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      for number: UInt64 in [1, 2] {
        try await application.host.perform(.open(SessionIdentifier.number(number)))
      }
      let (sessions, _) = try await application.slices.handOver { _ in true }
      #expect(sessions.count == 2 && sessions.refusal == nil)
      #expect(store.kept.sessions.allSatisfy { $0.stateRestorationActivity?.title == "draft" })
    }
  }

  @Test func `a session that another process has taken over is dropped as it is`() async throws {
    let store = InMemorySessionStore(Self.sessions(1...2))
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      _ = stage.log.take()
      await application.slices.finish(
        try application.slices.fence { $0 == .number(1) })
      let calls = stage.log.take()
      #expect(calls.last == "S1.didDisconnect U")
      #expect(!calls.contains { $0.contains("capture") })
      #expect(store.sessions.map(\.persistentIdentifier) == [.number(1), .number(2)])
      #expect(store.sessions[0].stateRestorationActivity == nil)
    }
  }

  @Test func `what was refused since another process serves the session stays refused`()
    async throws
  {
    let isFenced = Guarded(true)
    let store = RemoteStore(
      Self.sessions(1...1),
      refusing: { changes in
        guard isFenced.withLock({ $0 }), changes.contains(where: \.isSave) else { return [:] }
        return [.number(1): StoreError(.fenced, session: .number(1), "it is another node's.")]
      })
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      // The second finds nothing that has changed, and is not durable either.
      for _ in 0..<2 {
        let refusal = await #expect(throws: SceneError.self) {
          try await application.sendDurably("save", to: .number(1))
        }
        #expect(refusal?.code == .notDurable)
      }
      // In another epoch the session is this process's own again.
      isFenced.withLock { $0 = false }
      await application.slices.finish(try application.slices.fence { _ in true })
      let slice = Int(SessionIdentifier.number(1).high >> 54)
      try await application.slices.adopt(
        Self.rows(store.kept), epochs: [slice: 9], bits: 10, isAfterEnd: true)
      try await application.sendDurably("save", to: .number(1))
    }
  }

  @Test func `no condition of a session ends it when it is handed over`() async throws {
    var session = StoredSession.number(1)
    session.destructionConditions = [.userInitiatedDismissal, .systemDisconnection]
    let store = Self.elsewhere([session])
    let stage = Self.stage(store, delegate: ApplicationScript())
    try await stage.play { application in
      let rows = try await Self.rows(store.kept)
      try await application.slices.adopt(rows, epochs: [:], bits: 10, isAfterEnd: false)
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      _ = stage.log.take()
      #expect(try await application.slices.handOver { _ in true }.0.count == 1)
      #expect(!stage.log.take().contains { $0.contains("didDiscard") })
      #expect(store.kept.sessions.map(\.persistentIdentifier) == [.number(1)])
      // The end of the process that served it is another thing (R-DC-1).
      try await application.slices.adopt(rows, epochs: [:], bits: 10, isAfterEnd: true)
      #expect(stage.log.take().contains { $0.contains("didDiscard") })
      #expect(application.openSessions.isEmpty)
    }
  }

  @Test func `sessions that are adopted are served with what was captured elsewhere`()
    async throws
  {
    let store = Self.elsewhere((1...3).map { .number($0, state: "draft \($0)") })
    let stage = Self.stage(store)
    try await stage.play { application in
      #expect(application.openSessions.isEmpty)
      try await application.slices.adopt(
        Self.rows(store.kept), epochs: [:], bits: 10, isAfterEnd: false)
      #expect(application.openSessions.count == 3)
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      #expect(stage.log.take().contains("S2.restoreInteractionState(draft 2) B"))
      // It goes and comes again.
      _ = try await application.slices.handOver { _ in true }
      #expect(application.openSessions.isEmpty)
      try await application.slices.adopt(
        Self.rows(store.kept), epochs: [:], bits: 10, isAfterEnd: false)
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      #expect(application.openSessions.count == 3)
    }
    #expect(stage.application.core.leftovers == 0)
  }

  @Test func `the delegate is told of adopted sessions that were discarded`() async throws {
    let store = Self.elsewhere(Self.sessions(1...2))
    store.kept.discardWhileNotRunning(.number(1))
    let stage = Self.stage(store, delegate: ApplicationScript())
    try await stage.play { application in
      _ = stage.log.take()
      try await application.slices.adopt(
        Self.rows(store.kept), epochs: [:], bits: 10, isAfterEnd: false)
      #expect(stage.log.take().filter { $0.contains("didDiscard") }.count == 1)
      #expect(application.openSessions.map(\.id) == [.number(2)])
    }
    #expect(store.kept.discardedSessions.isEmpty)
  }

  @Test func `each slice is written in its own epoch`() async throws {
    let store = Self.elsewhere(Self.sessions(1...1))
    let stage = Self.stage(store)
    try await stage.play { application in
      let slice = Int(SessionIdentifier.number(1).high >> 54)
      try await application.slices.adopt(
        Self.rows(store.kept), epochs: [slice: 7], bits: 10, isAfterEnd: true)
      #expect(application.core.writer.epochs[.number(1)] == 7)
      let other = SessionIdentifier(high: ~SessionIdentifier.number(1).high, low: 0)
      #expect(application.core.writer.epochs[other] == application.core.writer.epoch)
    }
  }

  /// What a node's application asks, which serves every second slice.
  private static func duties(_ permit: ServingPermit) -> SliceDuties {
    SliceDuties(permit: permit) { session in
      session.high >> 54 & 1 == 0
        ? nil
        : SceneError(
          .servedElsewhere, session: session, "it is served elsewhere", address: "there")
    } place: { (identifier, placement) throws(SceneError) in
      if placement.group != nil {
        throw SceneError(.servedElsewhere, "elsewhere", address: "there")
      }
      return SessionIdentifier(high: identifier.high & ~(1 << 54), low: identifier.low)
    }
  }

  @Test func `without a permit nothing is delivered, and everything is with the next`()
    async throws
  {
    let now = Guarded(Duration.zero)
    let permit = ServingPermit { now.withLock { $0 } }
    permit.extend(until: .seconds(4))
    let stage = Stage(store: InMemorySessionStore(Self.sessions(1...1))) {
      $0.sliceDuties = Self.duties(permit)
    }
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      _ = stage.log.take()
      now.withLock { $0 = .seconds(4) }
      #expect(!permit.isValid)
      try application.send("late", to: .number(1))
      await application.settle()
      #expect(stage.log.take().isEmpty)
      permit.extend(until: .seconds(8))
      await application.settle()
      #expect(stage.log.take() == ["S1.didReceive(late) A"])
    }
  }

  @Test func `a session that comes while it is asked who serves it is open`() async throws {
    let permit = ServingPermit { .zero }
    permit.lift()
    let store = Self.elsewhere(Self.sessions(1...1))
    let arrival = Guarded<(@Sendable () -> Void)?>(nil)
    let stage = Stage(store: store) {
      $0.launch = .background
      $0.sliceDuties = SliceDuties(permit: permit) { _ in
        // Its rows were entered after it was looked for, and its slice is served by now.
        arrival.withLock { $0 }?()
        return nil
      } place: { (identifier, _) throws(SceneError) in
        identifier
      }
    }
    try await stage.play { application in
      let rows = try await Self.rows(store.kept)
      let left = Guarded(rows)
      arrival.withLock {
        $0 = {
          let rows = left.withLock { rows in
            defer { rows = [] }
            return rows
          }
          if rows.isEmpty { return }
          try? StoreRestoration(core: application.core).adopt(rows, isAfterEnd: false)
        }
      }
      try application.send("early", to: .number(1))
      await application.settle()
      #expect(stage.log.take().contains { $0.contains("didReceive(early)") })
      // One that does not come is not open all the same.
      #expect(throws: SceneError(.sessionNotOpen, session: .number(2), "")) {
        try application.send("x", to: .number(2))
      }
    }
  }

  @Test func `a session of another process is refused with its address`() async throws {
    let permit = ServingPermit { .zero }
    permit.lift()
    let stage = Stage(store: InMemorySessionStore(Self.sessions(1...1))) {
      $0.sliceDuties = Self.duties(permit)
    }
    try await stage.play { application in
      let foreign = SessionIdentifier(high: 1 << 54, low: 7)
      let refusal = #expect(throws: SceneError.self) { try application.send("x", to: foreign) }
      #expect(refusal?.code == .servedElsewhere && refusal?.address == "there")
      await #expect(throws: SceneError.self) {
        try await application.host.perform(.open(foreign))
      }
      await #expect(throws: SceneError.self) {
        try await application.host.newSession(group: "theirs")
      }
      // One that is not there, and would be served here.
      let own = SessionIdentifier(high: 0, low: 7)
      #expect(throws: SceneError(.sessionNotOpen, session: own, "")) {
        try application.send("x", to: own)
      }
      let new = try await application.host.newSession().id
      #expect(new.high >> 54 & 1 == 0)
    }
  }
}
