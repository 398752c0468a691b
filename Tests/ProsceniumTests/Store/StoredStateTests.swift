// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// Saved states are in the store, not in memory, while their sessions have no scene.
@Suite(.timeLimit(.minutes(10))) struct StoredStateTests {
  private static let one = SessionIdentifier.number(1)

  private static func isInMemory(_ application: Application) -> Bool {
    application.core.directory.find(one).map {
      application.core.directory.entry($0).details.hasState
    } ?? false
  }

  private static func damaged(_ session: SessionIdentifier) throws(StoreError) {
    if session == one { throw StoreError(.damaged, session: session, "its seal does not fit") }
  }

  @Test func `a disconnected session's state is dropped from memory and read again`() async throws {
    let stage = Stage.notebooks(store: InMemorySessionStore())
    try await stage.play { application in
      let session = try await application.host.newSession()
      try application.send("a", to: session.id)
      try await application.host.perform(.background(session.id))
      #expect(Self.isInMemory(application))
      try await application.host.perform(.disconnect(session.id))
      #expect(!Self.isInMemory(application))
      #expect(application.session(Self.one)?.stateRestorationActivity?.title == "a")
      #expect(try application.session(Self.one)?.savedState().activity?.title == "a")
      _ = stage.log.take()
      try await application.host.perform(.open(session.id))
      #expect(stage.log.take() == ["restored \"a\""])
    }
  }

  @Test func `a state stays in memory until it is committed`() async throws {
    let gate = CommitGate()
    let store = gate.store()
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      let session = try await application.host.newSession()
      gate.close()
      try application.send("a", to: session.id)
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      #expect(Self.isInMemory(application))
      // What connects it in between finds the newest state, not the store's.
      try await application.host.perform(.open(session.id))
      #expect(stage.log.take().last == "restored \"a\"")
      try application.send("b", to: session.id)
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      gate.open()
      while Self.isInMemory(application) { await Task.yield() }
      #expect(try await application.savedState(of: Self.one).activity?.title == "ab")
    }
  }

  @Test func `a state that is as it was before stays in memory until it is committed again`()
    async throws
  {
    let early = CommitGate()
    let late = CommitGate()
    let store = RemoteStore(
      [.number(1), .number(2)],
      onCommit: { (_) throws(StoreError) in
        if early.arrivals < 2 { await early.pass() } else { await late.pass() }
      })
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      early.close()
      late.close()
      try await application.updateSession(Self.one) { $0.userInfo = ["a": 1] }
      while early.arrivals == 0 { await Task.yield() }
      try await application.updateSession(Self.one) { $0.stateRestorationActivity = .titled("x") }
      // As many as one commit has.
      for number in 0..<SnapshotWriter.groupLimit.changes {
        try await application.updateSession(.number(2)) { $0.title = "\(number)" }
      }
      try await application.updateSession(Self.one) { $0.stateRestorationActivity = nil }
      early.open()
      while late.arrivals == 0 { await Task.yield() }
      #expect(store.kept.sessions[0].stateRestorationActivity?.title == "x")
      #expect(try await application.savedState(of: Self.one).activity == nil)
      late.open()
      while Self.isInMemory(application) { await Task.yield() }
      #expect(try await application.savedState(of: Self.one).activity == nil)
    }
  }

  @Test func `a state that is about to be used stays in memory`() async throws {
    let gate = CommitGate()
    let stage = Stage.notebooks(store: gate.store())
    try await stage.play { application in
      let session = try await application.host.newSession()
      gate.close()
      try application.send("a", to: session.id)
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      let core = application.core
      let handle = try #require(core.directory.find(Self.one))
      let slot = Int32(handle.slot(core.directory.shardBits))
      let left = DepartedState(
        session: handle, identifier: Self.one, details: core.directory.entry(handle).details,
        departure: core.directory.mailbox(handle).state.withLock { $0.depart(slot) })
      // The commit ends between the moment when a shard looks for the state and its use of it.
      let item = ShardItem(slot: slot, work: .plan(Plan(goal: .foreground)))
      #expect(await application.shards[handle.shard(core.directory.shardBits)].hasState(for: item))
      core.forget([left])
      #expect(Self.isInMemory(application))
      gate.open()
      try await application.host.perform(.open(session.id))
      #expect(stage.log.take().last == "restored \"a\"")
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.disconnect(session.id))
      while Self.isInMemory(application) { await Task.yield() }
    }
  }

  @Test func `a launch reads no saved state before it is needed`() async throws {
    let reads = CallLog()
    let rows: [StoredSession] = [.number(1, state: "a"), .number(2, state: "b")]
    let store = RemoteStore(
      rows, onRead: { (session) throws(StoreError) in reads.append(session.label) })
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      #expect(reads.lines == [])
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      #expect(reads.lines == ["S2"])
    }
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["a", "b"])
  }

  // MARK: - States that cannot be opened

  @Test func `a session whose state cannot be opened is not connected, and keeps it`() async throws
  {
    let rows: [StoredSession] = [.number(1, state: "a"), .number(2, state: "b")]
    let store = RemoteStore(rows, onRead: Self.damaged)
    let stage = Stage.notebooks(store: store)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(Self.one))
      }
      #expect(code == .stateUnreadable)
      #expect(application.openSessions.count == 2)
      #expect(application.scene(for: Self.one) == nil)
      #expect(application.connectedSceneCount == 0)
      try application.send("lost", to: Self.one)
      await application.settle()
      let call = await SceneError.code { () throws(SceneError) in
        try await application.call("hello", to: Self.one)
      }
      #expect(call == .lost)
      let durable = await SceneError.code { () throws(SceneError) in
        try await application.sendDurably("hello", to: Self.one)
      }
      #expect(durable == .lost)
      let update = await SceneError.code { () throws(SceneError) in
        try await application.updateSession(Self.one) { $0.userInfo = ["a": 1] }
      }
      #expect(update == .stateUnreadable)
      #expect(throws: SceneError.self) { try application.session(Self.one)?.savedState() }
      let read = await SceneError.code { () throws(SceneError) in
        _ = try await application.savedState(of: Self.one)
      }
      #expect(read == .stateUnreadable)
      // The others go on.
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      #expect(application.disagreements == [])
    }
    var lines: [String] = []
    for await event in events { if let line = event.line { lines.append(line) } }
    #expect(lines.contains { $0.contains("stateUnreadable") })
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["a", "b"])
  }

  @Test func `a session that gave up its state connects without it`() async throws {
    let store = RemoteStore([.number(1, state: "a")], onRead: Self.damaged)
    let stage = Stage.notebooks(store: store)
    try await stage.play { application in
      try await application.dropSavedState(of: Self.one)
      try await application.host.perform(.open(Self.one))
      #expect(stage.log.take() == ["restored \"\""])
      try application.send("new", to: Self.one)
    }
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["new"])
  }

  @Test func `a session that cannot be opened can be closed`() async throws {
    let store = RemoteStore([.number(1, state: "a")], onRead: Self.damaged)
    let stage = Stage(store: store, delegate: ApplicationScript())
    try await stage.play { application in
      try await application.host.perform(.close(Self.one))
      #expect(stage.log.take().last == "app.didDiscard(S1)")
      #expect(application.openSessions.isEmpty)
    }
    #expect(store.kept.sessions == [])
  }

  @Test func `a hand-over to a session that cannot be opened disturbs no scene`() async throws {
    let rows: [StoredSession] = [.number(1, state: "a"), .number(2, state: "b")]
    let store = RemoteStore(rows, onRead: Self.damaged)
    let stage = Stage.notebooks(store: store) { $0.foregroundCapacity = 1 }
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      _ = stage.log.take()
      let code = await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(Self.one))
      }
      #expect(code == .stateUnreadable)
      await application.settle()
      #expect(stage.log.take() == [])
      #expect(application.scene(for: .number(2))?.activationState == .foregroundActive)
      #expect(application.disagreements == [])
    }
  }

  // MARK: - Epochs

  @Test func `an application that another one has followed cannot write any more`() async throws {
    let store = RemoteStore()
    let first = Stage.notebooks(store: store)
    let second = Stage.notebooks(store: store)
    try await first.play { older in
      let session = try await older.host.newSession()
      try await older.sendDurably("old", to: session.id)
      try await second.play { newer in
        let code = await SceneError.code { () throws(SceneError) in
          try await older.sendDurably("late", to: session.id)
        }
        #expect(code == .notDurable)
        try await newer.sendDurably("new", to: session.id)
      }
    }
    #expect(store.kept.sessions.map(\.stateRestorationActivity?.title) == ["oldnew"])
  }
}
