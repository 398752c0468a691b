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

  /// Tries to post an event without the gate in the middle of each decision, while something else
  /// is done.
  ///
  /// - Returns: For each decision, whether the event was posted.
  private static func posts(
    _ application: Application, during body: () async throws -> Void
  ) async rethrows -> [Bool] {
    let core = application.core
    let posts = Guarded<[Bool]>([])
    core.gate.withLock { gate in
      gate.onAdmission = { _ in
        let isPosted = core.postAtOnce(event("between"), nil)
        posts.withLock { $0.append(isPosted) }
      }
    }
    try await body()
    core.gate.withLock { $0.onAdmission = nil }
    return posts.withLock { $0 }
  }

  @Test func `no event goes to a session that is the best one only in between`() async throws {
    try await Self.play { stage, application in
      // The first session has given way by then, and the new one is not entered yet.
      let posts = try await Self.posts(application) {
        try await application.host.newWindow(group: SceneGroup(rawValue: "first"))
      }
      #expect(posts == [false])
      application.submit(Self.event("after"))
      await application.settle()
      #expect(stage.log.take().filter { $0.contains("continue") } == ["S3.continue(after) A"])
    }
  }

  @Test func `no event goes by a place whose plan is still to be queued`() async throws {
    try await Self.play { stage, application in
      let posts = try await Self.posts(application) {
        try await application.host.background(SessionIdentifier.number(2))
        try await application.host.interrupt(SessionIdentifier.number(1))
        try await application.host.resume(SessionIdentifier.number(1))
      }
      #expect(posts == [false, false, false])
      application.submit(Self.event("after"))
      await application.settle()
      #expect(stage.log.take().filter { $0.contains("continue") } == ["S1.continue(after) A"])
    }
  }

  @Test func `once the application ends, no event goes to a scene that is still active`()
    async throws
  {
    try await Self.play { stage, application in
      let core = application.core
      #expect(core.postAtOnce(Self.event("before"), nil))
      core.gate.withLock { $0.phase = .closing }
      #expect(!core.postAtOnce(Self.event("after"), nil))
      await application.settle()
      #expect(stage.log.take().filter { $0.contains("continue") } == ["S2.continue(before) A"])
    }
  }

  @Test func `a decision that moves no session is no change`() async throws {
    try await Self.play { _, application in
      let core = application.core
      let completed = core.gate.changes.value.completedCount
      try await application.deliver(Self.event("awaited"))
      let isUnchanged = core.gate.changes.value.none(since: completed)
      #expect(isUnchanged)
    }
  }

  @Test func `conditions that are changed before the router knows the session are not lost`()
    async throws
  {
    try await Self.play { _, application in
      let core = application.core
      core.gate.withLock { gate in
        // What the shard does for an update, while the session is being made.
        gate.onAdmission = { _ in
          guard let handle = core.find(SessionIdentifier.number(3)) else { return }
          var details = core.entry(handle).details
          details.activationConditions = .init(prefers: .equals("late"))
          application.shards[handle.shard(core.shardBits)]
            .show(details, Int32(handle.slot(core.shardBits)))
        }
      }
      try await application.host.newWindow()
      core.gate.withLock { $0.onAdmission = nil }
      let decision = try application.route("late")
      #expect(decision == RoutingDecision(rule: .prefers, session: .number(3)))
    }
  }

  @Test func `a change of conditions is one as well`() async throws {
    try await Self.play { _, application in
      let core = application.core
      let completed = core.gate.changes.value.completedCount
      try await application.updateSession(SessionIdentifier.number(1)) {
        $0.activationConditions = .init()
      }
      await application.settle()
      let isSeen = !core.gate.changes.value.none(since: completed)
      let isOneAndComplete = core.gate.changes.value.none(since: completed + 1)
      #expect(isSeen && isOneAndComplete)
    }
  }
}
