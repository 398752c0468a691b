// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
@testable import Proscenium
import ProsceniumPredicate
import Testing

/// Asking an application where content would go, and why (semantics#routing-decision).
@Suite struct RoutingTests {
  private static let stored = [
    StoredSession.number(1, lastActivated: 9),
    .number(2, conditions: .init(can: .false, prefers: .equals("doc"))),
    .number(3, lastActivated: 4, conditions: .init(prefers: .hasPrefix("do"))),
    .number(
      4, lastActivated: 5, conditions: .init(prefers: .equals("other")),
      role: .windowExternalDisplay),
  ]

  private static func play(_ body: @Sendable (Application) async throws -> Void) async throws {
    try await Stage(store: InMemorySessionStore(stored)).play(body)
  }

  @Test func `an event would go where the rules send it`() async throws {
    try await Self.play { application in
      try application.expect("doc", .prefers, .number(3))
      try application.expect("doc", source: .number(2), .prefers, .number(2))
      try application.expect("else", .can, .number(1))
      try application.expect(nil, .recent, .number(1))
      try application.expect("other", role: .windowExternalDisplay, .prefers, .number(4))
      try application.expect("a", role: .windowExternalDisplayNonInteractive, .new, nil)
    }
  }

  @Test func `many identifiers are routed as one by one`() async throws {
    try await Self.play { application in
      let identifiers = (0..<100).map { ["doc", "dot", "else", "", "other"][$0 % 5] }
      let single = try identifiers.map { try application.route($0) }
      let batch = try application.route(identifiers)
      let lazy = try application.route(identifiers.lazy.map { $0 })
      let none = try application.route([String]())
      #expect(batch == single)
      #expect(lazy == single)
      #expect(none.isEmpty)
    }
  }

  @Test func `an event goes where it was said to go, and the answer follows the sessions`()
    async throws
  {
    try await Self.play { application in
      for identifier in ["doc", "else", "doc"] {
        let advice = try application.route(identifier).session
        let session = try await application.deliver(
          .activity(.titled("letter", shows: identifier)))
        #expect(session.id == advice)
      }
      try await application.host.perform(.close(SessionIdentifier.number(3)))
      try application.expect("doc", .prefers, .number(2))
      try await application.host.perform(.close(SessionIdentifier.number(2)))
      try application.expect("doc", .can, .number(1))
    }
  }

  @Test func `conditions that a scene sets count from the end of its callback`() async throws {
    let script: Script = [
      "S1.didReceive": { scene in scene.activationConditions.prefers = .equals("mine") }
    ]
    try await Stage(script).play { application in
      let first = try await application.activateSceneSession()
      let second = try await application.activateSceneSession()
      try application.expect("mine", .can, second.id)
      try application.send("now", to: first.id)
      await application.settle()
      try application.expect("mine", .prefers, first.id)
    }
  }

  @Test func `an identifier over 8 KiB is refused everywhere, one of 8 KiB is not`() async throws {
    try await Self.play { application in
      let long = String(repeating: "é", count: 4_096)
      try application.expect(long, .can, .number(1))
      let tooLong = long + "x"
      let event = SceneEvent.activity(.titled("letter", shows: tooLong))
      for code in [
        await SceneError.code { () throws(SceneError) in try application.route(tooLong) },
        await SceneError.code { () throws(SceneError) in try application.route(["a", tooLong]) },
        await SceneError.code { () throws(SceneError) in try application.explain(tooLong) },
        await SceneError.code { () throws(SceneError) in try await application.deliver(event) },
      ] {
        #expect(code == .limitExceeded)
      }
    }
  }

  @Test func `nothing is routed before the launch`() async {
    let application = Stage().application
    let route = await SceneError.code { () throws(SceneError) in try application.route("a") }
    let explain = await SceneError.code { () throws(SceneError) in try application.explain("a") }
    #expect(route == .notRunning)
    #expect(explain == .notRunning)
  }

  @Test func `an explanation names the candidates, what matched, and what decided`() async throws {
    try await Self.play { application in
      let explanation = try application.explain("doc")
      #expect(explanation.rule == .prefers)
      #expect(explanation.session == .number(3))
      #expect(explanation.candidates.map(\.session) == [.number(3), .number(2)])
      #expect(explanation.decidedBy == .activation)
      #expect(explanation.candidates[1].match?.part == .equals("doc"))
      for identifier in ["doc", "dot", "else", nil] {
        let decision = try application.route(identifier)
        let explanation = try application.explain(identifier, limit: 1)
        #expect(explanation.rule == decision.rule)
        #expect(explanation.session == decision.session)
      }
    }
  }

  @Test func `an explanation looks at the sessions of every shard and page`() async throws {
    let stored = (1...1_000).map { StoredSession.number($0, conditions: .init(prefers: .true)) }
    let stage = Stage(store: InMemorySessionStore(stored)) { $0.shards = 2 }
    try await stage.play { application in
      let explanation = try application.explain("a")
      #expect(explanation.candidateCount == 1_000)
      try application.expect("a", .prefers, .number(1))
    }
  }

  @Test func `predicates without a text to go by are counted, and reported once over the limit`()
    async throws
  {
    let stored = try (1...5).map {
      StoredSession.number(
        $0, conditions: .init(prefers: try ContentPredicate(format: "SELF != %@", "\($0)")))
    }
    let metrics = TestMetrics()
    let lines = CallLog()
    let stage = Stage(
      store: InMemorySessionStore(stored), logger: DiagnosticsLog.logger(lines)
    ) {
      $0.identifiers = .counted(from: 6)
      $0.residualPredicateLimit = 4
      $0.metrics = metrics
    }
    try await stage.play { application in
      let gauge = try metrics.expectGauge("proscenium_residual_predicates")
      #expect(gauge.lastValue == 5)
      try await application.host.perform(.close(SessionIdentifier.number(5)))
      try await application.host.newSession()
      #expect(gauge.lastValue == 4)
    }
    #expect(
      lines.lines.filter { $0.contains("residual") } == ["warning: residualPredicates"])
  }
}

extension Application {
  /// Checks where an event would go.
  fileprivate nonisolated func expect(
    _ identifier: String?, role: SceneSession.Role = .windowApplication,
    source: SessionIdentifier? = nil, _ rule: RoutingRule, _ session: SessionIdentifier?,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let decision = try route(identifier, role: role, source: source)
    #expect(decision == RoutingDecision(rule: rule, session: session), sourceLocation: location)
  }
}
