// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Requests from inside callbacks take effect after the callback has returned.
@Suite struct ReentrancyTests {
  /// One shard: everything is in one order.
  private static func stage(
    _ log: CallLog, _ script: Script, delegate: ApplicationScript? = nil, capacity: Int? = nil
  ) -> Stage {
    Stage(log: log, script, delegate: delegate) {
      $0.shards = 1
      $0.foregroundCapacity = capacity
    }
  }

  @Test func `a callback opens another session`() async throws {
    let log = CallLog()
    let stage = Self.stage(
      log,
      [
        "S1.willConnect": { scene in
          scene.application.submit(.activate(.init(userActivity: .titled("letter"))))
          log.append("S1.willConnect returns")
        }
      ])
    try await stage.play { application in
      try await application.host.newSession()
      await application.settle()
      #expect(
        log.take() == [
          "S1.willConnect U", "S1.willConnect returns", "S1.willEnterForeground B",
          "S1.didBecomeActive A", "S2.willConnect(letter) U", "S2.willEnterForeground B",
          "S2.didBecomeActive A",
        ])
    }
  }

  @Test func `a scene that shows another one gives way itself`() async throws {
    let log = CallLog()
    let stage = Self.stage(
      log,
      [
        "S1.didBecomeActive": { scene in
          scene.application.submit(.activate(.init()))
          log.append("S1.didBecomeActive returns")
        }
      ], capacity: 1)
    try await stage.play { application in
      try await application.host.newSession()
      await application.settle()
      #expect(
        log.take() == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
          "S1.didBecomeActive returns", "S1.willResignActive A", "S2.willConnect U",
          "S2.willEnterForeground B", "S2.didBecomeActive A", "S1.didEnterBackground B",
          "S1.capture B",
        ])
    }
  }

  @Test func `two scenes that push one another back take turns`() async throws {
    let log = CallLog()
    let rounds = Leased(Array(repeating: true, count: 4) + [false])
    let push: @Sendable (isolated Scene) -> Void = { scene in
      let other: UInt64 = scene.persistentIdentifier == .number(1) ? 2 : 1
      if rounds.next() {
        scene.application.submit(.activate(.init(session: .number(other))))
      }
    }
    let stage = Stage(
      log: log, ["S1.didBecomeActive": push, "S2.didBecomeActive": push],
      store: InMemorySessionStore([.number(1), .number(2)])
    ) { $0.foregroundCapacity = 1 }
    try await stage.play { application in
      try await application.host.perform(.open(SessionIdentifier.number(1)))
      await application.settle()
      let fronts = log.take().filter { $0.hasSuffix("didBecomeActive A") }
      #expect(fronts.map { $0.prefix(2) } == ["S1", "S2", "S1", "S2", "S1"])
      #expect(application.scene(for: .number(1))?.activationState == .foregroundActive)
      #expect(application.scene(for: .number(2))?.activationState == .background)
    }
  }

  @Test func `a callback posts to its own scene and to another`() async throws {
    let log = CallLog()
    let stage = Self.stage(
      log,
      [
        "S1.didReceive": { scene in
          guard log.lines.last == "S1.didReceive(start) A" else { return }
          do throws(SceneError) {
            try scene.application.send("to myself", to: scene.persistentIdentifier)
            try scene.application.send("to another", to: SessionIdentifier.number(2))
            try scene.application.send("again", to: scene.persistentIdentifier)
          } catch {
            log.append("\(error)")
          }
          log.append("returns")
        }
      ])
    try await stage.play { application in
      let first = try await application.host.newSession()
      try await application.host.newSession()
      _ = log.take()
      try application.send("start", to: first.id)
      await application.settle()
      #expect(
        log.take() == [
          "S1.didReceive(start) A", "returns", "S1.didReceive(to myself) A",
          "S2.didReceive(to another) A", "S1.didReceive(again) A",
        ])
    }
  }

  @Test func `a scene posts to itself and ends itself: the message comes first`() async throws {
    let log = CallLog()
    let stage = Self.stage(
      log,
      [
        "S1.didBecomeActive": { scene in
          let own = scene.persistentIdentifier
          do throws(SceneError) {
            try scene.application.send("before", to: own)
            scene.application.submit(.destroy(own))
            try scene.application.send("after", to: own)
          } catch {
            log.append("\(error.code)")
          }
          log.append("S1.didBecomeActive returns")
        }
      ], delegate: ApplicationScript())
    try await stage.play { application in
      _ = log.take()
      try await application.host.newSession()
      await application.settle()
      #expect(
        log.take() == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
          "sessionNotOpen", "S1.didBecomeActive returns", "S1.didReceive(before) A",
          "S1.willResignActive A", "S1.didDisconnect U", "app.didDiscard(S1)",
        ])
      #expect(application.openSessions.isEmpty)
    }
  }

  @Test func `a scene that ends itself while it connects still comes forward once`()
    async throws
  {
    let log = CallLog()
    let stage = Self.stage(
      log,
      [
        "S1.willConnect": { $0.application.submit(.destroy($0.persistentIdentifier)) }
      ], delegate: ApplicationScript())
    try await stage.play { application in
      _ = log.take()
      try await application.host.newSession()
      await application.settle()
      #expect(
        log.take() == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A",
          "S1.willResignActive A", "S1.didDisconnect U", "app.didDiscard(S1)",
        ])
    }
  }

  @Test func `a scene sends itself to the background and back`() async throws {
    let log = CallLog()
    let isFirst = Leased([true, false])
    let stage = Self.stage(
      log,
      [
        "S1.didBecomeActive": { scene in
          let own = scene.persistentIdentifier
          guard isFirst.next() else { return }
          scene.application.host.submit(.background(own))
          scene.application.host.submit(.disconnect(own))
          scene.application.host.submit(.open(own))
          log.append("returns")
        }
      ])
    try await stage.play { application in
      try await application.host.newSession()
      await application.settle()
      #expect(
        log.take() == [
          "S1.willConnect U", "S1.willEnterForeground B", "S1.didBecomeActive A", "returns",
          "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B",
          "S1.didDisconnect U", "S1.willConnect U", "S1.willEnterForeground B",
          "S1.didBecomeActive A",
        ])
    }
  }

  @Test func `the delegate of the application opens a session in a discard`() async throws {
    let log = CallLog()
    let script = ApplicationScript(
      onDiscard: { application, _ in
        application.host.submit(.newSession())
        log.append("didDiscard returns")
      },
      choose: { application, session, _ in
        if session.id == .number(2) { application.submit(.refresh(.number(2))) }
        log.append("configuration returns")
        return session.configuration
      })
    let stage = Self.stage(log, [:], delegate: script)
    try await stage.play { application in
      let session = try await application.host.newSession()
      _ = log.take()
      try await application.host.perform(.close(session.id))
      await application.settle()
      #expect(
        log.take() == [
          "S1.willResignActive A", "S1.didDisconnect U", "app.didDiscard(S1)",
          "didDiscard returns", "app.configuration(S2)", "configuration returns",
          "S2.willConnect U", "S2.willEnterForeground B", "S2.didBecomeActive A",
        ])
    }
  }
}
