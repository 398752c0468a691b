// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// What a session is given at a date.
@Suite(.timeLimit(.minutes(10))) struct WakeTests {
  private static let one = SessionIdentifier.number(1)
  private let wall = WallClock()

  private func stage(
    _ script: Script = [:], capturing state: String? = "state", store: InMemorySessionStore,
    delegate: ApplicationScript? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage(script, capturing: state, store: store, delegate: delegate) { settings in
      settings.use(wall)
      change(&settings)
    }
  }

  private static func archived() -> InMemorySessionStore {
    InMemorySessionStore([.number(1, state: "draft")])
  }

  private func after(_ seconds: Double) -> Date { wall.now + seconds }

  // MARK: - When it is due

  @Test func `an archived session is connected in the background, with the activity`()
    async throws
  {
    let store = Self.archived()
    let stage = stage(store: store)
    try await stage.play { application in
      let id = try await application.wake(Self.one, at: after(3_600), .titled("tea"))
      #expect(id.rawValue == 1)
      #expect(store.sessions[0].wakes.map(\.activity.title) == ["tea"])
      #expect(application.session(Self.one)?.wakes.map(\.id) == [id])
      await wall.pass(3_599, application)
      #expect(stage.log.take() == [])
      await wall.pass(1, application)
      #expect(
        stage.log.take() == [
          "S1.willConnect(tea) U", "S1.restoreInteractionState(draft) B", "S1.capture B",
        ])
      #expect(store.sessions[0].wakes == [])
      #expect(store.sessions[0].stateRestorationActivity?.title == "state")
      await wall.pass(100_000, application)
      #expect(stage.log.take() == [])
    }
  }

  @Test func `a connected scene continues the activity where it is`() async throws {
    let stage = stage(store: InMemorySessionStore())
    try await stage.play { application in
      try await application.host.newSession()
      for (name, letter) in [("tea", "A"), ("cake", "I"), ("bread", "B")] {
        if letter == "I" { try await application.host.perform(.interrupt(Self.one)) }
        if letter == "B" { try await application.host.perform(.background(Self.one)) }
        _ = stage.log.take()
        _ = try await application.wake(Self.one, at: after(10), .titled(name))
        await wall.pass(10, application)
        #expect(stage.log.take() == ["S1.continue(\(name)) \(letter)", "S1.capture \(letter)"])
      }
    }
  }

  @Test func `several that are due come in their order, with one capture`() async throws {
    let store = Self.archived()
    let stage = stage(store: store)
    try await stage.play { application in
      for (seconds, name) in [(30, "late"), (20, "second"), (10, "first"), (20, "third")] {
        _ = try await application.wake(Self.one, at: after(Double(seconds)), .titled(name))
      }
      await wall.pass(25, application)
      #expect(
        stage.log.take() == [
          "S1.willConnect(first) U", "S1.restoreInteractionState(draft) B", "S1.continue(second) B",
          "S1.continue(third) B", "S1.capture B",
        ])
      #expect(store.sessions[0].wakes.map(\.id.rawValue) == [1])
      await wall.pass(5, application)
      #expect(stage.log.take() == ["S1.continue(late) B", "S1.capture B"])
    }
  }

  @Test func `a date that is over is due at once`() async throws {
    let stage = stage(store: Self.archived())
    try await stage.play { application in
      _ = try await application.wake(Self.one, at: .distantPast, .titled("now"))
      await application.settle()
      #expect(stage.log.take().first == "S1.willConnect(now) U")
    }
  }

  @Test func `the task of the application wakes by itself`() async throws {
    let stage = stage(store: Self.archived())
    try await stage.play { application in
      _ = try await application.wake(Self.one, at: after(61), .titled("tea"))
      for _ in 0..<2 {
        while wall.clock.sleeperCount == 0 { await Task.yield() }
        wall.clock.advanceToNextDeadline()
      }
      while application.connectedSceneCount == 0 { await Task.yield() }
    }
    #expect(stage.log.take().first == "S1.willConnect(tea) U")
  }

  @Test func `the application delegate is asked for the configuration`() async throws {
    let stage = stage(
      store: Self.archived(),
      delegate: ApplicationScript(choose: { _, session, _ in session.configuration })
    ) { $0.asksConfigurationOnRestore = true }
    try await stage.play { application in
      _ = stage.log.take()
      _ = try await application.wake(Self.one, at: after(1), .titled("tea"))
      await wall.pass(1, application)
      #expect(stage.log.take().prefix(2) == ["app.configuration(S1)", "S1.willConnect(tea) U"])
    }
  }

  @Test func `a wake waits for an extended restoration`() async throws {
    let stage = stage(
      ["S1.willConnect": { $0.extendStateRestoration() }], store: Self.archived()
    ) { $0.restorationLimit = .seconds(1_000) }
    try await stage.play { application in
      application.host.submit(.open(Self.one))
      await application.settle()
      _ = try await application.wake(Self.one, at: after(1), .titled("tea"))
      _ = stage.log.take()
      await wall.pass(2, application)
      #expect(stage.log.take() == [])
      await application.scene(for: Self.one)?.completeStateRestoration()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willEnterForeground B", "S1.didBecomeActive A", "S1.continue(tea) A", "S1.capture A",
        ])
    }
  }

  @Test func `a restoration that takes too long costs no wake`() async throws {
    let stage = stage(
      ["S1.willConnect": { $0.extendStateRestoration() }], store: Self.archived()
    ) { $0.restorationLimit = .seconds(5) }
    try await stage.play { application in
      application.host.submit(.open(Self.one)) { _ in }
      await application.settle()
      _ = try await application.wake(Self.one, at: after(1), .titled("tea"))
      await wall.pass(2, application)
      _ = stage.log.take()
      await wall.pass(5, application)
      let lines = stage.log.take()
      #expect(lines.filter { $0.contains("(tea)") }.count == 1)
      #expect(application.disagreements == [])
    }
  }

  // MARK: - The wall clock

  @Test func `a wall clock that is set is noticed`() async throws {
    let stage = stage(store: Self.archived())
    try await stage.play { application in
      _ = try await application.wake(Self.one, at: after(3_600), .titled("tea"))
      wall.jump(by: -7_200)
      await wall.pass(3_600, application)
      await wall.pass(7_199, application)
      #expect(stage.log.take() == [])
      _ = try await application.wake(Self.one, at: after(86_400), .titled("cake"))
      await wall.pass(1, application)
      #expect(stage.log.take().first == "S1.willConnect(tea) U")
      wall.jump(by: 90_000)
      await application.settle()
      #expect(stage.log.take() == ["S1.continue(cake) B", "S1.capture B"])
    }
  }

  // MARK: - Cancelling

  @Test(arguments: [false, true])
  func `a wake that was cancelled is not given`(isConnected: Bool) async throws {
    let store = Self.archived()
    let stage = stage(store: store)
    try await stage.play { application in
      if isConnected { try await application.host.perform(.open(Self.one)) }
      let first = try await application.wake(Self.one, at: after(10), .titled("tea"))
      let second = try await application.wake(Self.one, at: after(20), .titled("cake"))
      let isCancelled = try await application.cancelWake(first, of: Self.one)
      #expect(isCancelled)
      #expect(store.sessions[0].wakes.map(\.id) == [second])
      let isCancelledAgain = try await application.cancelWake(first, of: Self.one)
      #expect(!isCancelledAgain)
      _ = stage.log.take()
      await wall.pass(15, application)
      #expect(stage.log.take() == [])
      await wall.pass(5, application)
      #expect(stage.log.take().contains { $0.contains("(cake)") })
      let isCancelledLate = try await application.cancelWake(second, of: Self.one)
      #expect(!isCancelledLate)
      let third = try await application.wake(Self.one, at: after(10), .titled("bread"))
      #expect([first, second, third].map(\.rawValue) == [1, 2, 3])
    }
  }

  @Test func `a scene makes and cancels wakes, also the next one that is due`() async throws {
    let store = InMemorySessionStore()
    let wall = wall
    let stage = stage(
      [
        "S1.didBecomeActive": { scene in
          _ = try? scene.wake(at: wall.now + 10, .titled("tea"))
          _ = try? scene.wake(at: wall.now + 10, .titled("cake"))
        },
        "S1.continue": { scene in
          for wake in scene.wakes { scene.cancelWake(wake.id) }
          _ = try? scene.wake(at: wall.now + 10, .titled("again"))
        },
      ], store: store)
    try await stage.play { application in
      try await application.host.newSession()
      #expect(store.sessions[0].wakes.map(\.activity.title) == ["tea", "cake"])
      _ = stage.log.take()
      await wall.pass(10, application)
      #expect(stage.log.take() == ["S1.continue(tea) A", "S1.capture A"])
      #expect(store.sessions[0].wakes.map(\.id.rawValue) == [3])
    }
  }

  // MARK: - What survives

  @Test(arguments: [false, true])
  func `what is due while nothing runs comes at the next launch, once`(isKilled: Bool)
    async throws
  {
    let store = Self.archived()
    let first = stage(store: store)
    try await first.play { application in
      _ = try await application.wake(Self.one, at: after(100), .titled("tea"))
      if isKilled { application.process.abandon() }
    }
    wall.clock.advance(by: .seconds(7_200))
    for expected in [true, false] {
      let stage = stage(store: store)
      try await stage.play { application in
        await application.settle()
        #expect(stage.log.take().contains("S1.willConnect(tea) U") == expected)
        // The numbers go on, although no wake waits any more.
        let id = try await application.wake(Self.one, at: .distantFuture, .titled("later"))
        #expect(id.rawValue == (expected ? 2 : 3))
      }
    }
  }

  @Test func `a wake that is due when the application ends stays`() async throws {
    let store = Self.archived()
    let stage = stage(store: store)
    try await stage.play { application in
      _ = try await application.wake(Self.one, at: after(10), .titled("tea"))
      application.core.gate.withLock { $0.phase = .closing }
      await wall.pass(10, application)
      application.core.gate.withLock { $0.phase = .running }
    }
    #expect(stage.log.take() == [])
    #expect(store.sessions[0].wakes.count == 1)
  }

  @Test func `a session that cannot be shown any more is discarded`() async throws {
    let store = InMemorySessionStore([
      StoredSession(persistentIdentifier: Self.one, configurationName: "Gone", delegateClass: "X")
    ])
    let stage = stage(store: store)
    try await stage.play { application in
      _ = try await application.wake(Self.one, at: after(10), .titled("tea"))
      await wall.pass(10, application)
      #expect(application.openSessions.isEmpty)
      #expect(application.core.wakes.count == 0)
    }
    #expect(store.sessions == [])
  }

  @Test func `what protected data withholds waits for the unlock`() async throws {
    let store = InMemorySessionStore([
      StoredSession(
        persistentIdentifier: Self.one, configurationName: "Main",
        wakes: [Wake(id: Wake.ID(rawValue: 7), date: after(10), activity: .titled("tea"))])
    ])
    let stage = stage(store: store)
    stage.application.host.lock()
    try await stage.play { application in
      await wall.pass(10, application)
      #expect(stage.log.take() == [])
      await application.host.unlock()
      await application.settle()
      #expect(stage.log.take().first == "S1.willConnect(tea) U")
      let next = try await application.wake(Self.one, at: .distantFuture, .titled("later"))
      #expect(next.rawValue == 8)
    }
  }

  @Test func `a state that comes while the unlock is under way does not lose the wake`()
    async throws
  {
    let gate = CommitGate()
    let store = RemoteStore(
      [
        StoredSession(
          persistentIdentifier: Self.one, configurationName: "Main",
          wakes: [Wake(id: Wake.ID(rawValue: 7), date: after(10), activity: .titled("tea"))])
      ],
      onReads: { sessions in
        await gate.pass()
        return sessions
      })
    let stage = Stage(store: store) { $0.use(wall) }
    stage.application.host.lock()
    try await stage.play { application in
      await wall.pass(10, application)
      gate.close()
      async let change = application.updateSession(Self.one) { $0.title = "tea time" }
      while gate.arrivals == 0 { await Task.yield() }
      // It waits behind the change, which waits for the state.
      application.host.submitUnlock()
      gate.open()
      _ = try await change
      await application.settle()
      #expect(stage.log.take().first == "S1.willConnect(tea) U")
    }
  }

  @Test func `a row that tells of a wake that is not there is corrected`() async throws {
    let store = Self.archived()
    var row = store.sessions[0].row
    row.nextWake = 1
    _ = store.apply([StoreChange(session: Self.one, epoch: 9, kind: .update(row))])
    for expected in [["S1.willConnect U", "S1.restoreInteractionState(draft) B"], []] {
      let stage = stage(store: store)
      try await stage.play { application in
        await application.settle()
        #expect(stage.log.take() == expected)
      }
    }
  }

  @Test func `a state that is refused does not bring the wake back`() async throws {
    let store = Self.archived()
    let stage = stage(capturing: String(repeating: "x", count: 500), store: store) {
      $0.savedStateLimits = SavedStateLimits(byteCount: 200)
    }
    try await stage.play { application in
      _ = try await application.wake(Self.one, at: after(10), .titled("tea"))
      await wall.pass(10, application)
      #expect(stage.log.take().first == "S1.willConnect(tea) U")
    }
    #expect(store.sessions[0].wakes == [])
    #expect(store.sessions[0].stateRestorationActivity?.title == "draft")
  }

  // MARK: - Limits

  @Test(arguments: [false, true])
  func `a session has 64 wakes, and none that makes its state too large`(isConnected: Bool)
    async throws
  {
    let store = Self.archived()
    let stage = stage(store: store) { $0.savedStateLimits = SavedStateLimits(byteCount: 4_000) }
    try await stage.play { application in
      if isConnected { try await application.host.perform(.open(Self.one)) }
      let large = String(repeating: "x", count: 4_000)
      let refusal = await SceneError.code { () throws(SceneError) in
        try await application.wake(Self.one, at: after(1), .titled(large))
      }
      #expect(refusal == .limitExceeded)
      for number in 1...64 {
        _ = try await application.wake(Self.one, at: after(1), .titled("\(number)"))
      }
      let excess = await SceneError.code { () throws(SceneError) in
        try await application.wake(Self.one, at: after(1), .titled("65"))
      }
      #expect(excess == .limitExceeded)
      #expect(application.session(Self.one)?.wakes.count == 64)
      await wall.pass(1, application)
      #expect(stage.log.take().filter { $0.contains("continue") }.count == (isConnected ? 64 : 63))
    }
  }

  @Test func `there is no wake of a session that is not open`() async throws {
    let stage = stage(store: InMemorySessionStore())
    try await stage.play { application in
      let code = await SceneError.code { () throws(SceneError) in
        try await application.wake(Self.one, at: after(1), .titled("tea"))
      }
      #expect(code == .sessionNotOpen)
    }
  }
}
