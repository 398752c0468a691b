// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium
import Testing

/// The end of an application (semantics#termination).
@Suite struct TerminationTests {
  /// One active, one inactive, one in the background whose state was marked, one archived.
  private static func play(_ stage: Stage, _ application: Application) async throws {
    var sessions: [SceneSession] = []
    for _ in 0..<4 { sessions.append(try await application.host.newSession()) }
    try await application.host.perform(.interrupt(sessions[1].id))
    for session in sessions.suffix(2) {
      try await application.host.perform(.background(session.id))
    }
    try application.send("change", to: sessions[2].id)
    await application.settle()
    try await application.host.perform(.disconnect(sessions[3].id))
    _ = stage.log.take()
  }

  private static let end = [
    "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B", "S1.didDisconnect U",
    "S2.didEnterBackground B", "S2.capture B", "S2.didDisconnect U", "S3.capture B",
    "S3.didDisconnect U", "app.willTerminate",
  ]

  private static func stage(_ store: InMemorySessionStore) -> Stage {
    Stage(
      ["S3.didReceive": { $0.setNeedsCapture() }], capturing: "draft", store: store,
      delegate: ApplicationScript()
    ) { $0.shards = 1 }
  }

  @Test func `every scene is captured and disconnected before the delegate is told (R-TRM-2)`()
    async throws
  {
    let store = InMemorySessionStore()
    let stage = Self.stage(store)
    try await stage.play { try await Self.play(stage, $0) }
    #expect(stage.log.take() == Self.end)
    // No session is discarded (R-TRM-3).
    #expect(
      store.sessions.map(\.stateRestorationActivity)
        == Array(repeating: .titled("draft"), count: 4))
  }

  @Test func `a shutdown ends it in the same way`() async throws {
    let stage = Self.stage(InMemorySessionStore())
    try await stage.application.whileRunning { application in
      try await Self.play(stage, application)
      application.shutDown()
    }
    #expect(stage.log.take() == Self.end)
  }

  @Test(arguments: [1, 64])
  func `whatever is still queued runs before the end`(shards: Int) async throws {
    let stage = Stage(delegate: ApplicationScript()) { $0.shards = shards }
    try await stage.play { application in
      for _ in 0..<20 { application.host.submit(.newSession()) }
      let session = try await application.host.newSession()
      for number in 0..<20 { try application.send(SceneMessage("\(number)"), to: session.id) }
    }
    let log = stage.log.take()
    #expect(log.filter { $0.hasSuffix("willConnect U") }.count == 21)
    #expect(log.filter { $0.hasSuffix("didDisconnect U") }.count == 21)
    #expect(log.filter { $0.contains("didReceive") }.count == 20)
    #expect(log.last == "app.willTerminate")
  }

  @Test func `a delegate that still thinks is waited for`() async throws {
    let held = HeldExecutor()
    let stage = Stage(
      delegate: ApplicationScript(choose: { _, session, _ in session.configuration })
    ) { $0.useOneShard(withApplicationOn: held) }
    try await stage.play { application in
      await application.settle()
      held.hold()
      application.host.submit(.newSession())
      held.letGo()
    }
    #expect(stage.log.take().suffix(2) == ["S1.didDisconnect U", "app.willTerminate"])
  }

  @Test func `in the end new work is refused, and ends are not`() async throws {
    let log = CallLog()
    let stage = Stage(
      log: log,
      [
        "S1.didDisconnect": { scene in
          scene.application.host.submit(.newSession()) { log.append("new: \($0.code)") }
          scene.application.submit(.destroy(scene.persistentIdentifier)) {
            log.append("destroy: \($0.code)")
          }
        }
      ], delegate: ApplicationScript())
    try await stage.play { application in
      try await application.host.newSession()
      _ = log.take()
    }
    #expect(
      log.take().suffix(4) == [
        "S1.didDisconnect U", "new: notRunning", "app.didDiscard(S1)", "app.willTerminate",
      ])
  }

  @Test func `afterwards nothing is possible and nothing is there`() async throws {
    let stage = Stage()
    try await stage.play { try await $0.host.newSession() }
    _ = stage.log.take()
    let application = stage.application
    #expect(application.connectedScenes.isEmpty)
    #expect(application.connectedSceneCount == 0)
    #expect(application.applicationState == .background)
    #expect(application.openSessions.map(\.id.label) == ["S1"])
    let one = SessionIdentifier.number(1)
    let codes = [
      await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.open(one))
      },
      await SceneError.code { () throws(SceneError) in try await application.host.newSession() },
      await SceneError.code { () throws(SceneError) in
        try await application.host.perform(.close(one))
      },
      await SceneError.code { () throws(SceneError) in
        try await application.requestSceneSessionRefresh(one)
      },
      await SceneError.code { () throws(SceneError) in try application.send("hello", to: one) },
      await SceneError.code { () throws(SceneError) in
        try await application.call("hello", to: one)
      },
      await SceneError.code { () throws(SceneError) in
        try await application.host.relievePressure(count: 1)
      },
    ]
    #expect(codes == Array(repeating: .notRunning, count: 7))
    application.host.submit(.newSession()) { stage.log.append("\($0.code)") }
    #expect(stage.log.take() == ["notRunning"])
    for await event in application.lifecycleEvents() {
      Issue.record("nothing can happen, but \(event.line)")
    }
  }

  // MARK: - The store

  /// A store that takes its time, and refuses when it is told to.
  private static func slowStore(_ isClosed: Box = Box()) -> RemoteStore {
    RemoteStore(onCommit: { (_) throws(StoreError) in
      for _ in 0..<10 { await Task.yield() }
      if isClosed.value.withLock({ $0 }) { throw StoreError(.failed, "it is closed") }
    })
  }

  private final class Box: Sendable {
    let value = Guarded(false)
  }

  @Test func `the store is up to date when the run returns`() async throws {
    let store = Self.slowStore()
    let stage = Stage(capturing: "draft", store: store)
    try await stage.play { application in
      for _ in 0..<3 { try await application.host.newSession() }
      try await application.host.perform(.close(SessionIdentifier.number(2)))
    }
    let rows = store.kept.sessions
    #expect(rows.map(\.persistentIdentifier.label) == ["S1", "S3"])
    #expect(rows.map(\.stateRestorationActivity) == [.titled("draft"), .titled("draft")])
  }

  @Test func `last changes that cannot be written fail the run`() async throws {
    let isClosed = Box()
    let stage = Stage(capturing: "draft", store: Self.slowStore(isClosed))
    await #expect(throws: StoreError.self) {
      try await stage.play { application in
        try await application.host.newSession()
        isClosed.value.withLock { $0 = true }
      }
    }
    #expect(stage.log.take().last == "S1.didDisconnect U")
  }
}
