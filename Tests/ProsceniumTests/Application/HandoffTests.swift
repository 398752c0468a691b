// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumPredicate
import Testing

@testable import Proscenium

/// Activities of other devices: they are announced first, and their data follows
/// (semantics#hand-off).
@Suite(.timeLimit(.minutes(10))) struct HandoffTests {
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "no network" }
  }

  private static let one = SessionIdentifier.number(1)

  private static func stage(
    _ store: InMemorySessionStore = InMemorySessionStore(),
    delegate: ApplicationScript? = nil,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    let log = CallLog()
    return Stage(
      log: log, store: store, delegate: delegate,
      manifest: [SceneConfiguration("Main") { ListeningDelegate(log) }], settings: change)
  }

  private static func announce(
    _ type: String, _ application: Application
  ) async throws(SceneError) {
    try await application.deliver(.handoff(activityType: type))
  }

  private static func code(_ type: String, _ application: Application) async
    -> SceneError.Code?
  {
    await SceneError.code { () throws(SceneError) in
      try await application.continueHandoff(type, with: .titled("letter"))
    }
  }

  // MARK: - The usual course

  @Test func `a scene is told on its way to the user, and gets the data where it is then`()
    async throws
  {
    let stage = Self.stage()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      _ = stage.log.take()
      try await Self.announce("read", application)
      #expect(stage.log.take() == ["S1.willContinue(read) I", "S1.didBecomeActive A"])
      try await application.host.perform(.background(session.id))
      try await application.continueHandoff("read", with: .titled("letter"))
      #expect(stage.log.take() == ["S1.continue(letter) B"])
      #expect(application.disagreements == [])
    }
  }

  @Test func `a scene that connects for it is told again when it is active`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await Self.announce("read", application)
      try await application.continueHandoff("read", with: .titled("letter"))
      #expect(
        stage.log.take() == [
          "S1.willConnect(handoff: read) U", "S1.didBecomeActive A", "S1.willContinue(read) A",
          "S1.continue(letter) A",
        ])
    }
  }

  @Test func `data that comes while the scene is on its way waits for it`() async throws {
    let held = HeldExecutor()
    let stage = Self.stage { $0.useOneShard(on: held) }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.submit(.deliver(.handoff(activityType: "read")))
      application.submit(.continueHandoff("read", .titled("letter")))
      held.letGo()
      await application.settle()
      #expect(
        stage.log.take().suffix(2) == ["S1.willContinue(read) A", "S1.continue(letter) A"])
    }
  }

  @Test func `a failure is told instead`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await Self.announce("read", application)
      _ = stage.log.take()
      try await application.failHandoff("read", error: Failure())
      #expect(stage.log.take() == ["S1.didFailToContinue(read, no network) A"])
      #expect(await Self.code("read", application) == .handoffNotAnnounced)
    }
  }

  @Test func `a failure that the delegate does not implement is reported`() async throws {
    let stage = Stage(manifest: [SceneConfiguration("Main", SilentDelegate.init)])
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      try await Self.announce("read", application)
      try await application.failHandoff("read", error: Failure())
    }
    #expect(await events.lines.filter { $0.contains("handoff") } == ["S1 handoffFailed"])
  }

  // MARK: - No scene waits for it

  @Test func `data without an announcement is refused, and so is what comes twice`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      #expect(await Self.code("read", application) == .handoffNotAnnounced)
      try await Self.announce("read", application)
      #expect(await Self.code("write", application) == .handoffNotAnnounced)
      #expect(await Self.code("read", application) == nil)
      #expect(await Self.code("read", application) == .handoffNotAnnounced)
      application.submit(.failHandoff("read", Failure())) { error in
        stage.log.append("failed: \(error.code)")
      }
      #expect(stage.log.take().last == "failed: handoffNotAnnounced")
    }
  }

  @Test func `a session that is gone waits for nothing`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await Self.announce("read", application)
      try await application.host.perform(.close(Self.one))
      #expect(await Self.code("read", application) == .handoffNotAnnounced)
    }
  }

  @Test(arguments: [false, true])
  func `another scene of the session does not get it, and the loss is reported`(
    isReconnected: Bool
  ) async throws {
    let stage = Self.stage()
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      for type in ["read", "write"] { try await Self.announce(type, application) }
      try await application.host.perform(.background(Self.one))
      try await application.host.perform(.disconnect(Self.one))
      if isReconnected { try await application.host.perform(.connect(Self.one)) }
      _ = stage.log.take()
      try await application.continueHandoff("read", with: .titled("letter"))
      try await application.failHandoff("write", error: Failure())
      #expect(stage.log.take() == [])
      #expect(application.connectedSceneCount == (isReconnected ? 1 : 0))
    }
    #expect(await events.lines.filter { $0.contains("lost") } == ["S1 lost handoff letter"])
  }

  // MARK: - Several

  @Test func `of two sessions that were told of a type, the last one gets the data`()
    async throws
  {
    let stage = Self.stage()
    try await stage.play { application in
      for shown in ["a", "b"] {
        let session = try await application.host.newSession()
        let prefers = try ContentPredicate.equals(shown)
        try await application.updateSession(session.id) { session in
          session.activationConditions = .init(prefers: prefers)
        }
      }
      for shown in ["b", "a"] {
        try await application.deliver(
          .handoff(activityType: "read", targetContentIdentifier: shown))
      }
      _ = stage.log.take()
      try await application.continueHandoff("read", with: .titled("letter"))
      #expect(stage.log.take() == ["S1.continue(letter) A"])
    }
  }

  @Test func `at most 1,024 types are waited for`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      let types = (1_000...2_024).map { "type \($0)" }
      for type in types { try await Self.announce(type, application) }
      #expect(application.core.gate.withLock { $0.handoffs.count } == 1_024)
      let scene = try #require(application.scene(for: Self.one))
      let announced = await Self.announced(scene)
      #expect(announced == 1_024)
      #expect(await Self.code("type 1000", application) == .handoffNotAnnounced)
      _ = stage.log.take()
      #expect(await Self.code("type 1001", application) == nil)
      #expect(await Self.code("type 2024", application) == nil)
      #expect(stage.log.take() == ["S1.continue(letter) A", "S1.continue(letter) A"])
    }
  }

  private static func announced(_ scene: isolated Scene) -> Int? { scene.extras?.announced.count }

  @Test func `sessions that are gone make room first`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      try await Self.announce("z", application)
      try await application.host.perform(.close(Self.one))
      for type in 0..<1_023 { try await Self.announce("\(10_000 + type)", application) }
      try await Self.announce("a", application)
      #expect(await Self.code("a", application) == nil)
      #expect(await Self.code("10000", application) == nil)
    }
  }

  // MARK: - The session is another one

  @Test func `the session that comes instead of one that cannot be shown gets the data`()
    async throws
  {
    let gone = StoredSession(persistentIdentifier: Self.one, configurationName: "Gone")
    let stage = Self.stage(InMemorySessionStore([gone])) { $0.identifiers = .counted(from: 2) }
    try await stage.play { application in
      try await Self.announce("read", application)
      #expect(await Self.code("read", application) == nil)
      #expect(
        stage.log.take() == [
          "S2.willConnect(handoff: read) U", "S2.didBecomeActive A", "S2.willContinue(read) A",
          "S2.continue(letter) A",
        ])
    }
  }
}
