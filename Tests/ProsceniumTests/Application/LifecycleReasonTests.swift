// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation
import Testing

/// What observers are told of one life, in which order, and why scenes and sessions end.
@Suite(.timeLimit(.minutes(10))) struct LifecycleReasonTests {
  private static let one = SessionIdentifier.number(1)

  private static let standard = "\(LifecycleEvent.Reason.dismissed(.standard))"

  /// Everything that is told, posts included.
  private static func all(_ events: AsyncStream<LifecycleEvent>) async -> [String] {
    await events.reduce(into: []) { lines, event in
      if let line = event.line ?? event.posted { lines.append(line) }
      switch event.kind {
      case .configured(let name): lines.append("S1 configured: \(name ?? "")")
      case .snapshotTaken: lines.append("S1 snapshot")
      case .settledInBackground: lines.append("S1 settled")
      default: break
      }
    }
  }

  @Test func `one life is told in one order, edges before what is posted of did`() async throws {
    let script = ApplicationScript(choose: { _, session, _ in session.configuration })
    let stage = Stage(capturing: "draft", delegate: script)
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      let session = try await application.host.newSession()
      try await application.host.perform(.background(session.id))
      try await application.host.perform(.close(session.id))
    }
    #expect(
      await Self.all(events) == [
        "app didFinishLaunching", "S1 configured: Main", "S1 connected, new", "S1 willConnect",
        "S1 U→B", "S1 willEnterForeground", "S1 B→I", "app willEnterForeground", "S1 I→A",
        "S1 didActivate", "app didBecomeActive", "S1 willDeactivate", "S1 A→I",
        "app willResignActive", "S1 I→B", "S1 didEnterBackground", "app didEnterBackground",
        "S1 captured, changed", "S1 snapshot", "S1 settled", "S1 B→U", "S1 didDisconnect",
        "S1 disconnected: \(Self.standard)", "S1 discarded: \(Self.standard)",
        "app willTerminate",
      ])
  }

  // MARK: - Reasons

  struct End: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reasons: [String]
    var script: Script = [:]
    var session = StoredSession.number(1)
    var launch = ApplicationSettings.Launch.connectAll
    let act: @Sendable (Application, ManualClock) async throws -> Void
  }

  private static func both(_ reason: LifecycleEvent.Reason) -> [String] {
    ["S1 disconnected: \(reason)", "S1 discarded: \(reason)"]
  }

  static let ends = [
    End(
      testDescription: "close", reasons: both(.dismissed(.standard)),
      act: { application, _ in try await application.host.perform(.close(one)) }),
    End(
      testDescription: "commit", reasons: both(.dismissed(.commit)),
      act: { application, _ in
        try await application.requestSceneSessionDestruction(
          one, reason: .commit)
      }),
    End(
      testDescription: "decline", reasons: both(.dismissed(.decline)),
      act: { application, _ in
        try await application.requestSceneSessionDestruction(
          one, reason: .decline)
      }),
    End(
      testDescription: "destruction without a reason", reasons: both(.dismissed(.standard)),
      act: { application, _ in try await application.requestSceneSessionDestruction(one) }),
    End(
      testDescription: "disconnect", reasons: ["S1 disconnected: \(LifecycleEvent.Reason.system)"],
      act: { application, _ in try await application.host.perform(.disconnect(one)) }),
    End(
      testDescription: "pressure", reasons: ["S1 disconnected: \(LifecycleEvent.Reason.system)"],
      act: { application, _ in try await application.host.relievePressure(count: 1) }),
    End(
      testDescription: "time-out",
      reasons: ["S1 disconnected: \(LifecycleEvent.Reason.restorationTimedOut)"],
      script: ["S1.willConnect": { $0.extendStateRestoration() }],
      act: { application, clock in
        clock.advance(by: .seconds(10))
        await application.settle()
      }),
    End(
      testDescription: "termination",
      reasons: ["S1 disconnected: \(LifecycleEvent.Reason.termination)"], act: { _, _ in }),
    End(
      testDescription: "condition", reasons: both(.destructionCondition),
      script: ["S1.willConnect": { $0.destructionConditions = [.systemDisconnection] }],
      act: { application, _ in try await application.host.perform(.disconnect(one)) }),
    End(
      testDescription: "nothing makes its scene",
      reasons: ["S1 discarded: \(LifecycleEvent.Reason.unresolvableConfiguration)"],
      session: StoredSession(persistentIdentifier: one, configurationName: "Gone"),
      act: { _, _ in }),
  ]

  @Test(arguments: ends)
  func `each end has its reason`(end: End) async throws {
    let clock = ManualClock()
    let stage = Stage(
      end.script, store: InMemorySessionStore([end.session]), delegate: ApplicationScript()
    ) {
      $0.launch = end.launch
      $0.clock = clock
    }
    let events = stage.application.lifecycleEvents()
    try await stage.play { application in
      await application.settle()
      try await end.act(application, clock)
    }
    let told = await events.lines.filter {
      $0.contains("disconnected:") || $0.contains("discarded:")
    }
    #expect(told == end.reasons)
  }

  @Test func `a session that was discarded while nothing ran has a reason of its own`()
    async throws
  {
    let store = InMemorySessionStore([.number(1)])
    store.discardWhileNotRunning(Self.one)
    let stage = Stage(store: store)
    let events = stage.application.lifecycleEvents()
    try await stage.play { _ in }
    #expect(await events.lines == ["S1 discarded: whileNotRunning"])
  }
}
