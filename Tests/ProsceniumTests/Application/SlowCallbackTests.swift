// SPDX-License-Identifier: Apache-2.0

import Logging
import MetricsTestKit
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// Callbacks that take longer than their budget are reported with their session.
///
/// Everything is on one thread, so that no task looks while a callback runs.
@Suite(.timeLimit(.minutes(10))) struct SlowCallbackTests {
  private struct Failure: Error {}

  private static let one = SessionIdentifier.number(1)

  /// A delegate whose state is fields, and takes its time for them.
  private final class SlowPad: StatefulSceneDelegate {
    private let log: CallLog
    private let clock: ManualClock
    private let time: Duration

    init(_ log: CallLog, _ clock: ManualClock, _ time: Duration) {
      self.log = log
      self.clock = clock
      self.time = time
    }

    private func spend(_ scene: isolated Scene, _ callback: String = #function) {
      log.append("\(scene.persistentIdentifier.label).\(callback)")
      clock.advance(by: time)
    }

    func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) { spend(scene) }
    func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) { spend(scene) }
  }

  /// Plays everything that a delegate can be told and asked; returns the callbacks, and what was
  /// reported as slow.
  private static func play(
    _ time: Duration, budget: Duration?, logger: Logger = .silent,
    ofFields: Bool = false,
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) throws -> (calls: [String], reports: [String]) {
    let (log, reports, executor) = (CallLog(), CallLog(), SeededExecutor(seed: 1))
    let clock = executor.clock
    let stage = Stage(
      log: log, store: InMemorySessionStore([.number(1, state: "saved")]), logger: logger,
      manifest: [
        ofFields
          ? SceneConfiguration("Main") { SlowPad(log, clock, time) }
          : SceneConfiguration("Main") { SlowDelegate(log, clock, time) }
      ]
    ) {
      $0.useOneThread(executor)
      $0.callbackBudget = budget
      $0.report(to: reports)
      change(&$0)
    }
    try executor.run {
      try await stage.play { try await ofFields ? playFields($0) : playAll($0) }
    }
    return (log.lines, reports.lines)
  }

  private static func playFields(_ application: Application) async throws {
    try await application.host.perform(.open(one))
    try await application.host.perform(.background(one))
  }

  private static func playAll(_ application: Application) async throws {
    let host = application.host
    try await host.perform(.open(one))
    try await application.deliver(.url(OpenURLContext("doc")))
    try await application.deliver(.activity(.titled("letter")))
    try await application.deliver(.shortcut(ShortcutItem("new")))
    try await application.deliver(.share(ShareMetadata("share")))
    for type in ["read", "write"] {
      try await application.deliver(.handoff(activityType: type))
    }
    try await application.continueHandoff("read", with: .titled("page"))
    try await application.failHandoff("write", error: Failure())
    try application.send("message", to: one)
    let reply = try await application.call("question", to: one)
    #expect(reply.string == "reply")
    _ = try await application.stream("question", to: one)
    _ = try await application.attach(to: one, as: ClientIdentifier(high: 1, low: 1))
    try await host.perform(.background(one))
    try await host.perform(.disconnect(one))
    let session = try #require(application.session(one))
    #expect(session.stateRestorationActivity?.title == "written")
    #expect(session.snapshot() == [7])
  }

  // MARK: - What is reported

  @Test func `every callback has its budget, and is reported by its name`() throws {
    let (calls, reports) = try Self.play(.seconds(3), budget: .seconds(2))
    #expect(reports == calls.map { "\($0) 3.0 seconds" })
    let fields = try Self.play(.seconds(3), budget: .seconds(2), ofFields: true)
    #expect(fields.reports == fields.calls.map { "\($0) 3.0 seconds" })
    let names = Set((calls + fields.calls).map { String($0.dropFirst("S1.".count)) })
    #expect(names == Set(Scene.Callback.allCases.map(\.rawValue)))
  }

  @Test(arguments: [(1_999, false), (2_000, true), (2_001, true)])
  func `a budget is used up when its time is over`(milliseconds: Int, isReported: Bool) throws {
    let (calls, reports) = try Self.play(.milliseconds(milliseconds), budget: .seconds(2))
    #expect(reports.count == (isReported ? calls.count : 0))
  }

  @Test func `without a budget nothing is reported, and all else is the same`() throws {
    let free = try Self.play(.seconds(3_600), budget: nil)
    let timed = try Self.play(.seconds(3_600), budget: .seconds(1))
    #expect(free.reports == [])
    #expect(timed.reports.count == timed.calls.count)
    #expect(free.calls == timed.calls)
  }

  @Test func `it is logged as a warning, and counted`() throws {
    let (lines, metrics) = (CallLog(), TestMetrics())
    let (calls, _) = try Self.play(
      .seconds(3), budget: .seconds(2), logger: DiagnosticsLog.logger(lines)
    ) { $0.metrics = metrics }
    let warnings = lines.lines.filter { $0 == "warning: slowCallback" }
    #expect(warnings.count == calls.count)
    let counter = try metrics.expectCounter("proscenium_slow_callbacks")
    #expect(counter.totalValue == Int64(calls.count))
  }

  @Test(arguments: [
    (Duration.zero, Duration.milliseconds(1)), (.seconds(-5), .milliseconds(1)),
    (.seconds(Int64.max), .seconds(86_400)), (.seconds(7), .seconds(7)),
  ])
  func `a budget is brought into its range`(given: Duration, used: Duration) {
    var settings = ApplicationSettings()
    settings.callbackBudget = given
    #expect(settings.inRange.callbackBudget == used)
  }

  // MARK: - The front

  /// A front of a tool that lets messages take their time.
  private final class ToolFront: SceneDelegateFront {
    let delegate: any SceneDelegate
    private let clock: ManualClock

    init(_ delegate: any SceneDelegate, _ clock: ManualClock) {
      self.delegate = delegate
      self.clock = clock
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      clock.advance(by: .seconds(60))
      delegate.scene(scene, didReceive: message)
    }
  }

  /// Opens a window with a scripted delegate and sends it a message.
  private static func send(
    _ makeScript: (ManualClock) -> Script, budget: Duration,
    settings change: (inout ApplicationSettings, ManualClock) -> Void = { _, _ in }
  ) throws -> (calls: [String], reports: [String]) {
    let (reports, executor) = (CallLog(), SeededExecutor(seed: 1))
    let stage = Stage(makeScript(executor.clock)) {
      $0.useOneThread(executor)
      $0.callbackBudget = budget
      $0.report(to: reports)
      change(&$0, executor.clock)
    }
    try executor.run {
      try await stage.play { application in
        let session = try await application.host.newSession()
        try application.send("message", to: session.id)
        await application.settle()
      }
    }
    return (stage.log.lines, reports.lines)
  }

  @Test func `the scene's delegate is the program's own, whatever is before it`() throws {
    let script: Script = [
      "S1.didReceive": { scene in
        #expect(scene.delegate is ScriptedDelegate)
        #expect((scene.callee as? SurroundedSceneDelegate)?.delegate is ToolFront)
        scene.delegate = SilentDelegate()
        #expect(scene.delegate is SilentDelegate)
        #expect((scene.callee as? SurroundedSceneDelegate)?.delegate is ToolFront)
      }
    ]
    let (calls, reports) = try Self.send({ _ in script }, budget: .seconds(1)) { settings, clock in
      settings.makeFront = { ToolFront($0, clock) }
    }
    #expect(calls.last == "S1.didReceive(message) A")
    #expect(reports == ["S1.scene(_:didReceive:) 60.0 seconds"])
  }

  @Test func `a callback inside of another is a part of it`() throws {
    let (_, reports) = try Self.send(
      { clock in
        [
          "S1.didReceive": { scene in
            clock.advance(by: .seconds(1))
            scene.callee?.scene(scene, continue: .titled("letter"))
            clock.advance(by: .seconds(1))
          },
          "S1.continue": { _ in clock.advance(by: .seconds(10)) },
          "S1.didDisconnect": { _ in clock.advance(by: .seconds(7)) },
        ]
      }, budget: .seconds(5))
    #expect(
      reports == ["S1.scene(_:didReceive:) 12.0 seconds", "S1.sceneDidDisconnect(_:) 7.0 seconds"])
  }

  @Test func `a delegate that gives way in a callback is timed to its end`() throws {
    let (_, reports) = try Self.send(
      { clock in
        [
          "S1.didReceive": { scene in
            scene.delegate = nil
            clock.advance(by: .seconds(9))
          }
        ]
      }, budget: .seconds(5))
    #expect(reports == ["S1.scene(_:didReceive:) 9.0 seconds"])
  }

  @Test(arguments: [nil, Duration.seconds(1)])
  func `what a delegate does not implement is unhandled as ever`(budget: Duration?) async throws {
    let lines = CallLog()
    let stage = Stage(
      store: InMemorySessionStore([.number(1, state: "saved")]),
      logger: DiagnosticsLog.logger(lines),
      manifest: [SceneConfiguration("Main") { SilentDelegate() }]
    ) {
      $0.shards = 1
      $0.clock = ManualClock()
      $0.callbackBudget = budget
    }
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try application.send("message", to: Self.one)
      try await application.deliver(.url(OpenURLContext("doc")))
      try await application.deliver(.handoff(activityType: "read"))
      try await application.failHandoff("read", error: Failure())
      let code = await SceneError.code { () throws(SceneError) in
        try await application.call("question", to: Self.one)
      }
      #expect(code == .unhandledCall)
      try await application.host.perform(.background(Self.one))
      // R-SR-4: a delegate that is not asked leaves its state as it is.
      #expect(application.session(Self.one)?.stateRestorationActivity?.title == "saved")
    }
    let unhandled = Array(repeating: "warning: unhandledEvent", count: 2)
    #expect(lines.lines == unhandled + ["warning: handoffFailed", "warning: unhandledEvent"])
  }
}

extension ApplicationSettings {
  /// One shard; everything is on one thread, with the clock of its executor.
  fileprivate mutating func useOneThread(_ executor: SeededExecutor) {
    shards = 1
    taskExecutor = executor
    clock = executor.clock
  }

  /// Writes down what is reported as slow: `S1.scene(_:didReceive:) 3.0 seconds`, with `…` at the
  /// end if it still runs.
  fileprivate mutating func report(to log: CallLog) {
    observer = { event in
      guard case .diagnosed(.slowCallback(let callback, let duration, let isRunning)) = event.kind
      else { return }
      let session = event.session?.label ?? "app"
      log.append("\(session).\(callback.rawValue) \(duration)\(isRunning ? " …" : "")")
    }
  }
}
