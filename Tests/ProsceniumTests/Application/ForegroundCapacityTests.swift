// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Who gives way in the foreground (R-ACTV-2), and in which order the two move (R-SW-1).
@Suite struct ForegroundCapacityTests {
  private static func stage(
    capacity: Int, store: InMemorySessionStore = InMemorySessionStore(),
    delegate: ApplicationScript? = nil
  ) -> Stage {
    Stage(store: store, delegate: delegate) { $0.foregroundCapacity = capacity }
  }

  @Test func `one leaves and a new one comes, in one order (R-SW-1)`() async throws {
    let script = ApplicationScript(choose: { _, session, _ in session.configuration })
    let stage = Self.stage(capacity: 1, delegate: script)
    try await stage.play { application in
      try await application.host.newSession()
      _ = stage.log.take()
      try await application.host.newSession()
      #expect(
        stage.log.take() == [
          "app.configuration(S2)", "S1.willResignActive A", "S2.willConnect U",
          "S2.willEnterForeground B", "S2.didBecomeActive A", "S1.didEnterBackground B",
          "S1.capture B",
        ])
    }
  }

  @Test func `so it is if the newcomer was archived or in the background`() async throws {
    let store = InMemorySessionStore([.number(1), .number(2, state: "draft")])
    let stage = Self.stage(capacity: 1, store: store)
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      _ = stage.log.take()
      try await application.host.perform(.open(SessionIdentifier.number(2)))
      #expect(
        stage.log.take() == [
          "S1.willResignActive A", "S2.willConnect U", "S2.restoreInteractionState(draft) B",
          "S2.willEnterForeground B", "S2.didBecomeActive A", "S1.didEnterBackground B",
          "S1.capture B",
        ])
      try await application.activateSceneSession(
        for: .init(session: SessionIdentifier.number(1), userActivity: .titled("letter")))
      #expect(
        stage.log.take() == [
          "S2.willResignActive A", "S1.willEnterForeground B", "S1.continue(letter) I",
          "S1.didBecomeActive A", "S2.didEnterBackground B", "S2.capture B",
        ])
    }
  }

  @Test func `an interrupted scene gives way without resigning again`() async throws {
    let stage = Self.stage(capacity: 1)
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.interrupt(session.id))
      _ = stage.log.take()
      try await application.host.newSession()
      #expect(
        stage.log.take() == [
          "S2.willConnect U", "S2.willEnterForeground B", "S2.didBecomeActive A",
          "S1.didEnterBackground B", "S1.capture B",
        ])
    }
  }

  @Test func `the least recently active scene gives way`() async throws {
    let stage = Self.stage(capacity: 2)
    try await stage.play { application in
      let first = try await application.host.newSession()
      let second = try await application.host.newSession()
      try await application.host.perform(.interrupt(first.id))
      try await application.host.perform(.resume(first.id))
      try await application.host.newSession()
      #expect(application.scene(for: second.id)?.activationState == .background)
      #expect(application.scene(for: first.id)?.activationState == .foregroundActive)
    }
  }

  @Test func `the requester stays (R-ACTV-2)`() async throws {
    let stage = Self.stage(capacity: 2)
    try await stage.play { application in
      let first = try await application.host.newSession()
      let second = try await application.host.newSession()
      let third = try await application.activateSceneSession(
        for: .init(options: .init(requestingScene: first.id)))
      let states = [first, second, third].map { application.scene(for: $0.id)?.activationState }
      #expect(states == [.foregroundActive, .background, .foregroundActive])
    }
  }

  @Test func `the requester goes if there is no other`() async throws {
    let stage = Self.stage(capacity: 1)
    try await stage.play { application in
      let first = try await application.host.newSession()
      try await application.activateSceneSession(
        for: .init(options: .init(requestingScene: first.id)))
      #expect(application.scene(for: first.id)?.activationState == .background)
    }
  }

  @Test func `groups have their own places (R-ACTV-2)`() async throws {
    let stage = Self.stage(capacity: 1)
    try await stage.play { application in
      let ann = try await application.host.newSession(group: "ann")
      let bob = try await application.host.newSession(group: "bob")
      let nobody = try await application.host.newSession()
      let sessions = [ann, bob, nobody]
      #expect(sessions.map(\.group) == ["ann", "bob", nil])
      let states = sessions.map { application.scene(for: $0.id)?.activationState }
      #expect(states == [.foregroundActive, .foregroundActive, .foregroundActive])
      _ = stage.log.take()
      try await application.host.newSession(group: "bob")
      #expect(stage.log.take().filter { !$0.hasPrefix("S4") }.first == "S2.willResignActive A")
    }
  }

  @Test func `a new session inherits the group of the scene that asks, unless it is given one`()
    async throws
  {
    let stage = Self.stage(capacity: 1)
    try await stage.play { application in
      let ann = try await application.host.newSession(group: "ann")
      let heir = try await application.activateSceneSession(
        for: .init(options: .init(requestingScene: ann.id)))
      #expect(heir.group == "ann")
      let other = try await application.activateSceneSession(
        for: .init(options: .init(requestingScene: ann.id, group: "bob")))
      #expect(other.group == "bob")
      let unknown = try await application.activateSceneSession(
        for: .init(options: .init(requestingScene: .number(99))))
      #expect(unknown.group == nil)
    }
  }

  @Test func `a group is kept with its session, for life`() async throws {
    let store = InMemorySessionStore()
    try await Self.stage(capacity: 1, store: store).play { application in
      try await application.host.newSession(group: "ann")
    }
    let relaunch = Self.stage(capacity: 1, store: store)
    try await relaunch.play { application in
      try await application.host.newSession(group: "ann")
      _ = relaunch.log.take()
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      #expect(relaunch.log.take().first == "S2.willResignActive A")
    }
  }

  @Test func `no scene comes forward by itself when a place becomes free`() async throws {
    let stage = Self.stage(capacity: 1)
    try await stage.play { application in
      try await application.host.newSession()
      let second = try await application.host.newSession()
      _ = stage.log.take()
      try await application.host.perform(.background(second.id))
      await application.settle()
      #expect(
        stage.log.take() == [
          "S2.willResignActive A", "S2.didEnterBackground B", "S2.capture B",
        ])
      // The place is free: no scene has to give way now.
      try await application.host.newSession()
      #expect(stage.log.take().allSatisfy { $0.hasPrefix("S3") })
    }
  }

  @Test func `a newcomer waits until the one before has really gone`() async throws {
    let held = HeldExecutor()
    let stage = Stage {
      $0.foregroundCapacity = 1
      $0.useOneShard(on: held)
    }
    try await stage.play { application in
      let first = try await application.host.newSession()
      await application.settle()
      _ = stage.log.take()
      held.hold()
      application.host.submit(.background(first.id))
      application.host.submit(.newSession())
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take() == [
          "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B",
          "S2.willConnect U", "S2.willEnterForeground B", "S2.didBecomeActive A",
        ])
    }
  }

  @Test func `two that change places again and again end as the last request says`() async throws {
    let store = InMemorySessionStore([.number(1), .number(2)])
    let stage = Self.stage(capacity: 1, store: store)
    for number in [1, 2, 1, 2, 1] as [UInt64] {
      stage.application.host.submit(.open(.number(number)))
    }
    try await stage.play { application in
      await application.settle()
      #expect(
        application.connectedScenes.filter { $0.activationState == .foregroundActive }
          .map(\.persistentIdentifier.label) == ["S1"])
      let fronts = stage.log.take().filter { $0.hasSuffix("didBecomeActive A") }
      #expect(fronts.map { $0.prefix(2) } == ["S1", "S2", "S1", "S2", "S1"])
    }
  }
}
