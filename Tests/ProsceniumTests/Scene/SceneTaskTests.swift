// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Work that a callback starts, and requests whose failure a scene hears of.
@Suite(.timeLimit(.minutes(10))) struct SceneTaskTests {
  private static let one = SessionIdentifier.number(1)

  /// Is captured by what a scene is to go on with, and says when it is gone.
  private final class Token: Sendable {
    private let log: CallLog

    init(_ log: CallLog) {
      self.log = log
    }

    deinit {
      log.append("let go of")
    }

    func note(_ line: String) { log.append(line) }
  }

  /// One session whose scene does something when it connects.
  private static func stage(
    _ log: CallLog, at callback: String = "willConnect", delegate: ApplicationScript? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in },
    _ act: @escaping @Sendable (isolated Scene) -> Void
  ) -> Stage {
    let script: Script = [
      "S1.\(callback)": { scene in
        act(scene)
        log.append("\(callback) returns")
      }
    ]
    return Stage(
      log: log, script, store: InMemorySessionStore([.number(1)]), delegate: delegate,
      settings: change)
  }

  private static func wait(for line: String, in log: CallLog) async {
    while !log.lines.contains(line) { await Task.yield() }
  }

  // MARK: - Work

  @Test func `the scene goes on with the result after the callback, and lets go of all`()
    async throws
  {
    let log = CallLog()
    let stage = Self.stage(log) { scene in
      let token = Token(log)
      scene.addTask(ScriptedDelegate.self) {
        "loaded"
      } then: { _, scene, result in
        token.note("\(result) \(scene.activationState.letter)")
      }
    }
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      await Self.wait(for: "let go of", in: log)
      #expect(log.take() == ["S1.willConnect U", "willConnect returns", "loaded B", "let go of"])
    }
  }

  @Test func `the disconnect cancels it, and its result comes to no scene`() async throws {
    let log = CallLog()
    let (never, source) = AsyncStream.makeStream(of: Void.self)
    let stage = Self.stage(log) { scene in
      let token = Token(log)
      scene.addTask(ScriptedDelegate.self) {
        for await _ in never {}
        log.append("cancelled: \(Task.isCancelled)")
        return "late"
      } then: { _, _, result in
        token.note(result)
      }
    }
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      _ = log.take()
      try await application.host.perform(.disconnect(Self.one))
      #expect(log.lines.contains("let go of"))
      await Self.wait(for: "cancelled: true", in: log)
      await application.settle()
      #expect(!log.take().contains("late"))
    }
    withExtendedLifetime(source) {}
  }

  @Test func `a result that is queued behind the disconnect comes to no scene`() async throws {
    let held = HeldExecutor()
    let log = CallLog()
    let (gate, source) = AsyncStream.makeStream(of: Void.self)
    let stage = Self.stage(log, settings: { $0.useOneShard(on: held) }) { scene in
      scene.addTask(ScriptedDelegate.self) {
        for await _ in gate {}
        return "late"
      } then: { _, _, result in
        log.append(result)
      }
    }
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      held.hold()
      application.host.submit(.disconnect(Self.one))
      source.finish()
      // The disconnect, the result, and that nothing else comes.
      await application.waitUntilQueued(3)
      held.letGo()
      await application.settle()
      #expect(
        log.take() == ["S1.willConnect U", "willConnect returns", "S1.didDisconnect U"])
    }
  }

  @Test func `a delegate of another class does not go on with it`() async throws {
    let log = CallLog()
    let stage = Self.stage(log) { scene in
      let token = Token(log)
      scene.addTask(SilentDelegate.self) {
        "loaded"
      } then: { _, _, result in
        token.note(result)
      }
    }
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      await Self.wait(for: "let go of", in: log)
      #expect(!log.take().contains("loaded"))
    }
  }

  @Test func `the end of the application waits for it`() async throws {
    let log = CallLog()
    let (never, source) = AsyncStream.makeStream(of: Void.self)
    let stage = Self.stage(log) { scene in
      scene.addTask(ScriptedDelegate.self) {
        for await _ in never {}
        for _ in 0..<100 { await Task.yield() }
        log.append("cleared away")
      } then: { _, _, _ in
        log.append("late")
      }
    }
    try await stage.play { try await $0.host.perform(.connect(Self.one)) }
    #expect(log.take().suffix(2) == ["S1.didDisconnect U", "cleared away"])
    withExtendedLifetime(source) {}
  }

  // MARK: - Requests

  private static func request(
    _ request: SessionRequest, _ log: CallLog
  ) -> @Sendable (isolated Scene) -> Void {
    { scene in
      let token = Token(log)
      scene.submit(request, ScriptedDelegate.self) { _, scene, error in
        token.note("\(error.code) \(scene.activationState.letter)")
      }
    }
  }

  @Test func `a failure is told after the callback, although it is known at once`() async throws {
    let log = CallLog()
    let stage = Self.stage(log, Self.request(.activate(.init(session: .number(9))), log))
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      await application.settle()
      #expect(
        log.take() == [
          "S1.willConnect U", "willConnect returns", "sessionNotOpen B", "let go of",
        ])
    }
  }

  @Test func `a failure that comes later is told then`() async throws {
    let log = CallLog()
    let wrong = SceneConfiguration(name: nil, sessionRole: .windowExternalDisplay)
    let stage = Self.stage(
      log, at: "didBecomeActive", delegate: ApplicationScript(choose: { _, _, _ in wrong }),
      settings: { $0.identifiers = .counted(from: 2) }, Self.request(.activate(.init()), log))
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      await application.settle()
      #expect(
        log.take().suffix(4) == [
          "didBecomeActive returns", "app.configuration(S2)", "roleMismatch A", "let go of",
        ])
    }
  }

  @Test func `after a success no caller is told, and all is let go of`() async throws {
    let log = CallLog()
    let stage = Self.stage(log, at: "didBecomeActive", Self.request(.refresh(.number(9)), log))
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      await application.settle()
      #expect(log.take().suffix(2) == ["didBecomeActive returns", "let go of"])
    }
  }

  @Test func `a scene that has disconnected hears of nothing`() async throws {
    let log = CallLog()
    let stage = Self.stage(
      log, at: "didDisconnect", Self.request(.activate(.init(session: .number(9))), log))
    try await stage.play { application in
      try await application.host.perform(.connect(Self.one))
      try await application.host.perform(.disconnect(Self.one))
      await application.settle()
      #expect(
        log.take() == [
          "S1.willConnect U", "S1.didDisconnect U", "didDisconnect returns", "let go of",
        ])
    }
  }
}
