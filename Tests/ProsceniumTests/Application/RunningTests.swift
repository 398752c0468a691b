// SPDX-License-Identifier: Apache-2.0

import Logging
import ProsceniumPrimitives
import ProsceniumServiceLifecycle
import ServiceLifecycle
import Testing

@testable import Proscenium

/// An application around a closure: what it can be asked when, and how it ends.
@Suite(.timeLimit(.minutes(5))) struct RunningTests {
  private static let windows: SceneManifest = [
    SceneConfiguration("Main") { ScriptedDelegate(CallLog(), [:], state: nil) }
  ]

  private struct Failure: Error, Equatable {
    var number = 0
  }

  /// Lets the other tasks go first before it loads.
  private static func lateStore(_ sessions: [StoredSession]) -> RemoteStore {
    RemoteStore(sessions, onLoad: { for _ in 0..<100 { await Task.yield() } })
  }

  // MARK: - What it can be asked

  @Test func `the closure finds the sessions of the store, however late that was loaded`()
    async throws
  {
    let store = Self.lateStore([.number(1), .number(2)])
    let found = try await Application.withRunning(
      manifest: Self.windows, store: store, log: .silent
    ) { application in
      #expect(application.session(.number(1)) != nil)
      #expect(application.openSessions.contains(SessionIdentifier.number(2)))
      let routed = try application.route("page").session
      #expect(routed != nil)
      return application.openSessions.map(\.id.label).sorted()
    }
    #expect(found == ["S1", "S2"])
  }

  /// Looks at the application in each callback of the launch.
  private final class LookingDelegate: ApplicationDelegate {
    private let log: CallLog

    init(_ log: CallLog) { self.log = log }

    func applicationWillFinishLaunching(_ application: isolated Application) {
      look(application, "will")
    }

    func applicationDidFinishLaunching(_ application: isolated Application) {
      look(application, "did")
    }

    private func look(_ application: isolated Application, _ name: String) {
      let routed = try? application.route("page").session?.label
      let explained = try? application.explain("page").session?.label
      log.append(
        "\(name): \(application.openSessions.count) open, "
          + "session \(application.session(.number(1))?.id.label ?? "none"), "
          + "routed to \(routed ?? "none"), explained as \(explained ?? "none")")
    }
  }

  @Test func `the callbacks of the launch see the archived sessions and route to them`()
    async throws
  {
    let log = CallLog()
    try await Application.withRunning(
      manifest: Self.windows, store: Self.lateStore([.number(1)]), log: .silent,
      delegate: { LookingDelegate(log) }
    ) { _ in }
    let seen = "1 open, session S1, routed to S1, explained as S1"
    #expect(log.take() == ["will: \(seen)", "did: \(seen)"])
  }

  @Test func `an application that escaped says that it is not running`() async throws {
    let escaped = try await Application.withRunning(
      manifest: Self.windows, store: Self.lateStore([.number(1)]), log: .silent
    ) { $0 }
    let one = SessionIdentifier.number(1)
    let codes = [
      await SceneError.code { () throws(SceneError) in try escaped.route("page") },
      await SceneError.code { () throws(SceneError) in try escaped.route(["page"]) },
      await SceneError.code { () throws(SceneError) in try escaped.explain("page") },
      await SceneError.code { () throws(SceneError) in try escaped.send("hello", to: one) },
      await SceneError.code { () throws(SceneError) in try await escaped.call("hello", to: one) },
      await SceneError.code { () throws(SceneError) in
        try await escaped.activateSceneSession(for: .init(session: one))
      },
      await SceneError.code { () throws(SceneError) in
        try await escaped.updateSession(one) { $0.title = "late" }
      },
    ]
    #expect(codes == Array(repeating: .notRunning, count: 7))
    // What the end left is still to be seen.
    #expect(escaped.session(one) != nil)
  }

  // MARK: - How it ends

  private static func play(
    store: any SessionStore = InMemorySessionStore(),
    _ body: @escaping @Sendable (Application, CallLog) async throws -> Void
  ) async -> (calls: [String], error: (any Error)?) {
    let stage = Stage(capturing: "draft", store: store, delegate: ApplicationScript())
    do {
      try await stage.application.whileRunning { application in
        try await application.host.newSession()
        _ = stage.log.take()
        try await body(application, stage.log)
      }
      return (stage.log.take(), nil)
    } catch {
      return (stage.log.take(), error)
    }
  }

  private static let end = [
    "S1.willResignActive A", "S1.didEnterBackground B", "S1.capture B", "S1.didDisconnect U",
    "app.willTerminate",
  ]

  @Test func `it ends in order when the closure has returned or thrown`() async {
    let returned = await Self.play { _, _ in }
    #expect(returned.calls == Self.end)
    #expect(returned.error == nil)
    let thrown = await Self.play { _, _ in throw Failure() }
    #expect(thrown.calls == Self.end)
    #expect(thrown.error is Failure)
  }

  /// Waits until its task is cancelled, and says so.
  private static func waitForCancellation(_ log: CallLog) async {
    let (never, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    log.append(Task.isCancelled ? "cancelled" : "woken")
    continuation.finish()
  }

  @Test func `a shutdown ends it in order, then cancels a closure that goes on`() async {
    let (calls, error) = await Self.play { application, log in
      application.shutDown()
      application.shutDown()
      await Self.waitForCancellation(log)
    }
    #expect(calls == Self.end + ["cancelled"])
    #expect(error == nil)
  }

  @Test func `a scene can shut its application down`() async throws {
    let stage = Stage(
      ["S1.didReceive": { $0.application.shutDown() }], delegate: ApplicationScript())
    try await stage.application.whileRunning { application in
      let session = try await application.host.newSession()
      try application.send("quit", to: session.id)
      await Self.waitForCancellation(stage.log)
    }
    #expect(stage.log.take().suffix(2) == ["app.willTerminate", "cancelled"])
  }

  @Test func `a delegate that shuts it down at the launch ends it, and the closure still runs`()
    async throws
  {
    let script = ApplicationScript(actions: ["didFinishLaunching": { $0.shutDown() }])
    let stage = Stage(delegate: script)
    try await stage.application.whileRunning { _ in await Self.waitForCancellation(stage.log) }
    #expect(
      stage.log.take() == [
        "app.willFinishLaunching", "app.didFinishLaunching", "app.willTerminate", "cancelled",
      ])
  }

  @Test func `a cancelled caller ends it in order and cancels the closure`() async throws {
    let log = CallLog()
    let (calls, error) = await withTaskGroup(of: ([String], (any Error)?).self) { group in
      let (begun, source) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        await Self.play { _, _ in
          source.yield()
          await Self.waitForCancellation(log)
        }
      }
      await begun.first { true }
      group.cancelAll()
      return await group.next() ?? ([], nil)
    }
    #expect(calls == Self.end)
    #expect(error == nil)
    #expect(log.take() == ["cancelled"])
  }

  @Test func `the graceful shutdown of a service group shuts it down`() async throws {
    let log = CallLog()
    let manifest: SceneManifest = [
      SceneConfiguration("Main") { ScriptedDelegate(log, [:], state: .titled("draft")) }
    ]
    let (begun, source) = AsyncStream.makeStream(of: Void.self)
    let windows = ApplicationService(manifest: manifest) { application in
      try await application.host.newSession()
      _ = log.take()
      source.yield()
      await Self.waitForCancellation(log)
    }
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: windows, successTerminationBehavior: .gracefullyShutdownGroup)],
        logger: .silent))
    try await withThrowingTaskGroup { tasks in
      tasks.addTask { try await group.run() }
      await begun.first { true }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
    #expect(log.take().map(\.words) == Self.end.dropLast().map(\.words) + [["cancelled"]])
  }

  // MARK: - Errors of either side

  @Test func `a launch that fails is what is thrown, and the closure does not begin`() async {
    let store = RemoteStore(onLoad: { throw Failure(number: 1) })
    await #expect(throws: Failure(number: 1)) {
      try await Application.withRunning(manifest: Self.windows, store: store, log: .silent) { _ in
        Issue.record("the closure began")
      }
    }
    let error = await #expect(throws: SceneError.self) {
      try await Application.withRunning(manifest: [], log: .silent) { _ in
        Issue.record("the closure began")
      }
    }
    #expect(error?.code == .sceneLifecycleRequired)
  }

  /// What is thrown if the store takes nothing any more and the closure ends with an error.
  private static func thrown(_ error: (any Error)?) async -> (any Error)? {
    let isClosed = Guarded(false)
    let store = RemoteStore(onCommit: { (_) throws(StoreError) in
      if isClosed.withLock({ $0 }) { throw StoreError(.failed, "it is closed") }
    })
    return await play(store: store) { _, _ in
      isClosed.withLock { $0 = true }
      if let error { throw error }
    }.error
  }

  @Test func `what the store refuses in the end is thrown, unless the closure failed by itself`()
    async
  {
    #expect(await Self.thrown(nil) is StoreError)
    #expect(await Self.thrown(CancellationError()) is StoreError)
    #expect(await Self.thrown(SceneError(.notRunning, "it has ended")) is StoreError)
    #expect(await Self.thrown(Failure()) is Failure)
    #expect(await Self.thrown(SceneError(.sessionNotOpen, "no")) is SceneError)
  }
}

extension String {
  /// What was called, without the label of the session, which is random here.
  fileprivate var words: [Substring] { split(separator: ".").last?.split(separator: " ") ?? [] }
}
