// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// What needs a saved state waits until the store has answered, and everything else goes on.
@Suite(.timeLimit(.minutes(10))) struct StateReadingTests {
  private static let one = SessionIdentifier.number(1)
  private static let two = SessionIdentifier.number(2)

  /// A store whose reads wait at a gate, and whose answers a test can change.
  private static func store(
    _ sessions: [StoredSession], _ gate: CommitGate,
    onRead: @escaping @Sendable (SessionIdentifier) throws(StoreError) -> Void = { _ in },
    answering: @escaping @Sendable ([SessionIdentifier]) -> [SessionIdentifier] = { $0 }
  ) -> RemoteStore {
    RemoteStore(
      sessions,
      onReads: { sessions in
        await gate.pass()
        return answering(sessions)
      }, onRead: onRead)
  }

  /// Waits until the store was asked so many times.
  private static func waitForReads(_ count: Int, _ gate: CommitGate) async {
    while gate.arrivals < count { await Task.yield() }
  }

  /// Two sessions of one shard, of which the first one is not connected yet.
  private static func stage(
    _ store: RemoteStore, settings: @escaping (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage.notebooks(store: store) {
      $0.shards = 1
      settings(&$0)
    }
  }

  @Test func `a shard goes on while a state is read, and what was sent waits in order`()
    async throws
  {
    let gate = CommitGate()
    let stage = Self.stage(Self.store([.number(1, state: "a"), .number(2)], gate))
    try await stage.play { application in
      try await application.host.perform(.open(Self.two))
      _ = stage.log.take()
      gate.close()
      application.host.submit(.open(Self.one))
      try application.send("b", to: Self.one)
      try application.send("c", to: Self.one)
      await Self.waitForReads(1, gate)
      try application.send("x", to: Self.two)
      try await application.host.perform(.background(Self.two))
      let other = try await application.savedState(of: Self.two)
      #expect(other.activity?.title == "x")
      #expect(application.scene(for: Self.one) == nil)
      #expect(stage.log.take() == ["captured \"x\""])
      gate.open()
      await application.settle()
      #expect(stage.log.take().first == "restored \"a\"")
      try await application.host.perform(.background(Self.one))
      let state = try await application.savedState(of: Self.one)
      #expect(state.activity?.title == "abc")
    }
  }

  @Test func `a victim does not resign before the newcomer has its state`() async throws {
    let gate = CommitGate()
    let stage = Self.stage(Self.store([.number(1, state: "a"), .number(2)], gate)) {
      $0.foregroundCapacity = 1
    }
    try await stage.play { application in
      try await application.host.perform(.open(Self.two))
      gate.close()
      application.host.submit(.open(Self.one))
      await Self.waitForReads(1, gate)
      await application.shards[0].drain()
      #expect(application.scene(for: Self.two)?.activationState == .foregroundActive)
      gate.open()
      await application.settle()
      #expect(application.scene(for: Self.two)?.activationState == .background)
      #expect(application.scene(for: Self.one)?.activationState == .foregroundActive)
    }
  }

  @Test func `what is decided while a state is read is carried out behind it`() async throws {
    let ends: [(String, @Sendable (Application) -> Void)] = [
      (
        "disconnected",
        {
          $0.host.submit(.background(Self.one)); $0.host.submit(.disconnect(Self.one))
        }
      ),
      ("discarded", { $0.host.submit(.close(Self.one)) }),
      ("discarded", { $0.submit(.destroy(Self.one)) }),
    ]
    for (name, end) in ends {
      let gate = CommitGate()
      let store = Self.store([.number(1, state: "a")], gate)
      let stage = Self.stage(store)
      try await stage.play { application in
        gate.close()
        application.host.submit(.open(Self.one))
        end(application)
        await Self.waitForReads(1, gate)
        gate.open()
        await application.settle()
        #expect(stage.log.take().first == "restored \"a\"", "\(name)")
        #expect(application.scene(for: Self.one) == nil, "\(name)")
        #expect(application.openSessions.isEmpty == (name == "discarded"))
        #expect(application.disagreements == [], "\(name)")
      }
      #expect(
        store.kept.sessions.map(\.stateRestorationActivity?.title)
          == (name == "discarded" ? [] : ["a"]))
    }
  }

  @Test func `a state that is dropped while it is read does not come back`() async throws {
    let gate = CommitGate()
    let store = Self.store([.number(1, state: "a")], gate)
    let stage = Self.stage(store)
    try await stage.play { application in
      gate.close()
      application.host.submit(.open(Self.one))
      await Self.waitForReads(1, gate)
      try await application.dropSavedState(of: Self.one)
      gate.open()
      await application.settle()
      #expect(stage.log.take() == ["restored \"\""])
      try application.send("new", to: Self.one)
    }
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["new"])
  }

  @Test func `what was read for an earlier connection does not come to a later one`() async throws {
    let gate = CommitGate()
    let isLocked = Guarded(true)
    let store = RemoteStore(
      [.number(1, state: "old")],
      onRead: { (session) throws(StoreError) in
        if isLocked.withLock({ $0 }) {
          throw StoreError(.keyUnavailable, session: session, "locked")
        }
      }, onAnswers: { await gate.pass() })
    let stage = Self.stage(store) { $0.isProtectedDataAvailable = false }
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      isLocked.withLock { $0 = false }
      gate.close()
      // Its capture has to wait for what the scene goes without: the old state is read for it.
      try await application.host.perform(.background(Self.one))
      await Self.waitForReads(2, gate)
      try await application.dropSavedState(of: Self.one)
      try application.send("new", to: Self.one)
      try await application.host.perform(.disconnect(Self.one))
      while application.storedStateCount == 0 { await Task.yield() }
      _ = stage.log.take()
      application.host.submit(.open(Self.one))
      await application.shards[0].drain()
      gate.open()
      await application.settle()
      #expect(stage.log.take() == ["restored \"new\""])
    }
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["new"])
  }

  @Test func `memory pressure and a lock change nothing for a session that waits`() async throws {
    let events: [@Sendable (Application) -> Void] = [
      { $0.host.submit(.relievePressure(count: 8)) }, { $0.host.lock() },
    ]
    for event in events {
      let gate = CommitGate()
      let store = Self.store([.number(1, state: "a"), .number(2)], gate)
      let stage = Self.stage(store)
      try await stage.play { application in
        gate.close()
        application.host.submit(.open(Self.one))
        await Self.waitForReads(1, gate)
        event(application)
        await application.shards[0].drain()
        #expect(application.scene(for: Self.one) == nil)
        gate.open()
        await application.settle()
        #expect(stage.log.take() == ["restored \"a\""])
        #expect(application.scene(for: Self.one)?.activationState == .foregroundActive)
        #expect(application.disagreements == [])
        await application.host.unlock()
      }
      #expect(store.kept.sessions.first?.stateRestorationActivity?.title == "a")
    }
  }

  @Test func `what waits for the state of a session that is closed comes to no other session`()
    async throws
  {
    let old = SessionIdentifier.number(9)
    let gate = CommitGate()
    let stage = Self.stage(Self.store([.number(9, state: "a")], gate))
    try await stage.play { application in
      gate.close()
      application.process.submitUpdate(of: old) { $0.userInfo = ["of": "the closed one"] }
      await Self.waitForReads(1, gate)
      application.host.submit(.close(old))
      while application.openSessions.contains(old) { await Task.yield() }
      var windows: [SessionIdentifier] = []
      for _ in 0..<4 {
        await application.shards[0].drain()
        windows.append(try await application.host.newSession().id)
      }
      _ = stage.log.take()
      gate.open()
      await application.settle()
      for window in windows {
        let session = try #require(application.session(window))
        #expect(session.userInfo == nil)
        #expect(session.stateRestorationActivity == nil)
      }
      #expect(stage.log.take() == [])
      #expect(application.disagreements == [])
    }
  }

  @Test func `an answer for an earlier session of the same slot does not count`() async throws {
    let old = SessionIdentifier.number(9)
    let gate = CommitGate()
    let stage = Self.stage(Self.store([.number(9, state: "a")], gate))
    try await stage.play { application in
      gate.close()
      application.process.submitUpdate(of: old) { $0.userInfo = ["of": "the closed one"] }
      await Self.waitForReads(1, gate)
      application.host.submit(.close(old))
      while application.openSessions.contains(old) { await Task.yield() }
      // One of them gets the slot.
      var windows: [SessionIdentifier] = []
      for _ in 0..<4 {
        await application.shards[0].drain()
        windows.append(try await application.host.newSession().id)
      }
      for window in windows {
        try application.send("b", to: window)
        try await application.host.perform(.background(window))
        try await application.host.perform(.disconnect(window))
      }
      await application.shards[0].drain()
      _ = stage.log.take()
      for window in windows { application.host.submit(.open(window)) }
      await application.shards[0].drain()
      gate.open()
      await application.settle()
      #expect(stage.log.take() == Array(repeating: "restored \"b\"", count: 4))
    }
  }

  @Test func `an application that ends waits for the states that are being read`() async throws {
    let gate = CommitGate()
    let store = Self.store([.number(1, state: "a")], gate)
    let stage = Self.stage(store)
    try await stage.play { application in
      gate.close()
      application.host.submit(.open(Self.one))
      try application.send("b", to: Self.one)
      await Self.waitForReads(1, gate)
      application.shutDown()
      gate.open()
    }
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["ab"])
  }

  @Test func `an update waits for the state that it may change, and later ones wait behind it`()
    async throws
  {
    let gate = CommitGate()
    let stage = Self.stage(Self.store([.number(1, state: "a")], gate))
    try await stage.play { application in
      gate.close()
      for letter in ["b", "c"] {
        application.process.submitUpdate(of: Self.one) { session in
          session.stateRestorationActivity = .titled(
            (session.stateRestorationActivity?.title ?? "") + letter)
        }
      }
      await Self.waitForReads(1, gate)
      gate.open()
      await application.settle()
      let state = try await application.savedState(of: Self.one)
      #expect(state.activity?.title == "abc")
    }
  }

  @Test func `an error fails the update that waited, and the next one asks again`() async throws {
    let gate = CommitGate()
    let failures = Guarded(1)
    let store = Self.store(
      [.number(1, state: "a")], gate,
      onRead: { (session) throws(StoreError) in
        let fails = failures.withLock { left in
          defer { left -= 1 }
          return left > 0
        }
        if fails { throw StoreError(.failed, session: session, "no route to the disk") }
      })
    let stage = Self.stage(store)
    try await stage.play { application in
      gate.close()
      application.process.submitUpdate(of: Self.one) { $0.userInfo = ["lost": 1] }
      await Self.waitForReads(1, gate)
      application.process.submitUpdate(of: Self.one) { $0.userInfo = ["kept": 1] }
      gate.open()
      await application.settle()
      let state = try await application.savedState(of: Self.one)
      #expect(state.activity?.title == "a")
      #expect(state.userInfo == ["kept": 1])
    }
  }

  @Test func `a state that the key was missing for is read again after the unlock`() async throws {
    let gate = CommitGate()
    let isLocked = Guarded(true)
    let store = Self.store(
      [.number(1, state: "a")], gate,
      onRead: { (session) throws(StoreError) in
        if isLocked.withLock({ $0 }) {
          throw StoreError(.keyUnavailable, session: session, "locked")
        }
      })
    let stage = Self.stage(store) { $0.isProtectedDataAvailable = false }
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      #expect(stage.log.take() == ["restored \"\""])
      isLocked.withLock { $0 = false }
      gate.close()
      async let unlocked: Void = application.host.unlock()
      await Self.waitForReads(2, gate)
      gate.open()
      await unlocked
      let session = try #require(application.session(Self.one))
      #expect(session.stateRestorationActivity?.title == "a")
    }
  }

  // MARK: - Batches

  @Test func `many states are read in batches of at most 256`() async throws {
    let gate = CommitGate()
    let sizes = Guarded<[Int]>([])
    let rows = (1...1_000).map { StoredSession.number(UInt64($0), state: "a") }
    let store = Self.store(
      rows, gate,
      answering: { sessions in
        sizes.withLock { $0.append(sessions.count) }
        return sessions
      })
    let stage = Self.stage(store) { $0.requestLimit = 2_000 }
    try await stage.play { application in
      gate.close()
      for number in 1...1_000 { application.host.submit(.open(.number(UInt64(number)))) }
      await Self.waitForReads(1, gate)
      gate.open()
      await application.settle()
      #expect(application.connectedSceneCount == 1_000)
      #expect(sizes.withLock { $0.reduce(0, +) } == 1_000)
      #expect(sizes.withLock { $0.allSatisfy { $0 <= 256 } })
      #expect(sizes.withLock { $0.count } <= 6)
    }
  }

  @Test func `what the store leaves out is asked for again`() async throws {
    let gate = CommitGate()
    let rows = (1...40).map { StoredSession.number(UInt64($0), state: "a") }
    let store = Self.store(rows, gate, answering: { Array($0.shuffled().prefix(3)) })
    let stage = Self.stage(store)
    try await stage.play { application in
      for number in 1...40 { application.host.submit(.open(.number(UInt64(number)))) }
      await application.settle()
      #expect(application.connectedSceneCount == 40)
      #expect(stage.log.take().filter { $0 == "restored \"a\"" }.count == 40)
    }
  }

  @Test func `a store that answers nothing leaves its sessions unread, and nothing hangs`()
    async throws
  {
    let gate = CommitGate()
    let store = Self.store([.number(1, state: "a")], gate, answering: { _ in [] })
    let stage = Self.stage(store)
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(Self.one))
      }
      #expect(code == .stateUnreadable)
    }
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["a"])
  }
}
