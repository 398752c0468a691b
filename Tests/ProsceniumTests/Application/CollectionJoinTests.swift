// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// Whether a new session joins the scene group of the one that asks
/// (semantics#options-of-requests).
@Suite struct CollectionJoinTests {
  typealias Behavior = Scene.ActivationRequestOptions.CollectionJoinBehavior

  private static func stage() -> Stage {
    Stage {
      $0.foregroundCapacity = 1
      $0.shards = 1
    }
  }

  private static func request(
    _ behavior: Behavior, by session: SceneSession, group: SceneGroup? = nil
  ) -> SceneSessionActivationRequest {
    .init(
      userActivity: .titled("letter"),
      options: .init(
        requestingScene: session.id, group: group, collectionJoinBehavior: behavior))
  }

  @Test(
    "it does, unless it may not or another group is named",
    arguments: [
      (Behavior.automatic, "ann"), (.preferred, "ann"), (.disallowed, nil),
      (.preferredWithoutActivating, "ann"),
    ] as [(Behavior, SceneGroup?)])
  func groups(behavior: Behavior, expected: SceneGroup?) async throws {
    try await Self.stage().play { application in
      let asking = try await application.host.newSession(group: "ann")
      let session = try await application.activateSceneSession(
        for: Self.request(behavior, by: asking))
      #expect(session.group == expected)
      let named = try await application.activateSceneSession(
        for: Self.request(behavior, by: asking, group: "bob"))
      #expect(named.group == "bob")
    }
  }

  @Test func `without activating, it connects and takes no other's place`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      let asking = try await application.host.newSession(group: "ann")
      _ = stage.log.take()
      let session = try await application.activateSceneSession(
        for: Self.request(.preferredWithoutActivating, by: asking))
      #expect(stage.log.take() == ["S2.willConnect(letter) U"])
      #expect(application.scene(for: asking.id)?.activationState == .foregroundActive)
      #expect(application.disagreements == [])
      // It has been opened like any other: the user can bring it forward.
      try await application.host.perform(.open(session.id))
      #expect(
        stage.log.take() == [
          "S1.willResignActive A", "S2.willEnterForeground B", "S2.didBecomeActive A",
          "S1.didEnterBackground B", "S1.capture B",
        ])
    }
  }

  @Test func `where it may not join, it has a foreground of its own`() async throws {
    let stage = Self.stage()
    try await stage.play { application in
      let asking = try await application.host.newSession(group: "ann")
      _ = stage.log.take()
      try await application.activateSceneSession(for: Self.request(.disallowed, by: asking))
      #expect(application.scene(for: asking.id)?.activationState == .foregroundActive)
      #expect(stage.log.take().allSatisfy { $0.hasPrefix("S2") })
    }
  }

  @Test func `a session that asks and is gone has no group to join`() async throws {
    try await Self.stage().play { application in
      let asking = try await application.host.newSession(group: "ann")
      try await application.host.perform(.close(asking.id))
      let session = try await application.activateSceneSession(
        for: Self.request(.automatic, by: asking))
      #expect(session.group == nil)
    }
  }
}
