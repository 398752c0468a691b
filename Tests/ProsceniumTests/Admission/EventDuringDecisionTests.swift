// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// An event that needs no decision does not go by one that is only half made.
struct EventDuringDecisionTests {
  private static func event(_ title: String) -> SceneEvent {
    .activity(.titled(title, shows: "page"))
  }

  /// An application with two active scenes that prefer the same content, the first of them active
  /// since later; in each of their groups one scene has room in the foreground.
  private static func play(
    _ body: @Sendable (Stage, Application) async throws -> Void
  ) async throws {
    let log = CallLog()
    let page = SceneConfiguration(
      "Page", initialConditions: { _ in Self.page }, { ScriptedDelegate(log) })
    let stage = Stage(log: log, manifest: [page]) { $0.foregroundCapacity = 1 }
    try await stage.play { application in
      for group in ["second", "first"] {
        try await application.host.newWindow(group: SceneGroup(rawValue: group))
      }
      _ = log.take()
      try await body(stage, application)
    }
  }

  private static let page = SceneActivationConditions(prefers: .equals("page"))

  /// Does something in the middle of each decision.
  private static func whileDeciding(
    _ application: Application, _ body: @escaping @Sendable () -> Void
  ) {
    application.core.gate.withLock { $0.onAdmission = { _ in body() } }
  }

  @Test func `no event goes to a session that is the best one only in between`() async throws {
    try await Self.play { stage, application in
      let core = application.core
      // The first session has given way by then, and the new one is not entered yet.
      Self.whileDeciding(application) {
        #expect(!core.postAtOnce(Self.event("a"), nil))
      }
      try await application.host.newWindow(group: SceneGroup(rawValue: "first"))
      application.core.gate.withLock { $0.onAdmission = nil }
      application.submit(Self.event("b"))
      await application.settle()
      #expect(stage.log.take().filter { $0.contains("continue") } == ["S3.continue(b) A"])
    }
  }
}
