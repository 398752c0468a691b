// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

/// A scene's delegate may be replaced at any time (R-ID-4).
@Suite struct DelegateReplacementTests {
  /// A delegate with a name, that says when it is gone; on its way to the foreground, or when it is
  /// captured, it gives way to its successor.
  private final class NamedDelegate: SceneDelegate {
    let name: String
    let log: CallLog
    let successor: String?
    let givesWayAt: String

    init(_ name: String, _ log: CallLog, successor: String? = nil, at callback: String = "") {
      self.name = name
      self.log = log
      self.successor = successor
      givesWayAt = callback
    }

    deinit {
      log.append("\(name) is gone")
    }

    private func note(_ scene: isolated Scene, _ callback: String) {
      log.append("\(name).\(callback)")
      guard callback == givesWayAt else { return }
      scene.delegate = successor.map { NamedDelegate($0, log) }
      log.append("\(name).\(callback) returns")
    }

    func scene(
      _ scene: isolated Scene, willConnectTo session: SceneSession,
      options: Scene.ConnectionOptions
    ) {
      note(scene, "willConnect")
    }

    func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
      note(scene, "restore")
    }

    func sceneDidBecomeActive(_ scene: isolated Scene) { note(scene, "didBecomeActive") }
    func sceneDidEnterBackground(_ scene: isolated Scene) { note(scene, "didEnterBackground") }
    func sceneDidDisconnect(_ scene: isolated Scene) { note(scene, "didDisconnect") }

    func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
      note(scene, "capture")
      return .titled(name)
    }

    func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
      note(scene, "didReceive")
    }
  }

  private static let one = SessionIdentifier.number(1)

  /// Opens a session with a saved state, takes it to the background, and disconnects it.
  private static func play(
    successor: String?, at callback: String
  ) async throws -> (calls: [String], saved: String?) {
    let log = CallLog()
    let store = InMemorySessionStore([.number(1, state: "draft")])
    let stage = Stage(
      log: log, store: store,
      manifest: [
        SceneConfiguration("Main") { NamedDelegate("old", log, successor: successor, at: callback) }
      ])
    try await stage.play { application in
      try await application.host.perform(.open(Self.one))
      try application.send("hello", to: Self.one)
      try await application.host.perform(.background(Self.one))
      try await application.host.perform(.disconnect(Self.one))
    }
    return (log.take(), store.sessions.first?.stateRestorationActivity?.title)
  }

  @Test func `the next callback is the new one's, and the old one is let go of`() async throws {
    let (calls, saved) = try await Self.play(successor: "new", at: "willConnect")
    #expect(
      calls == [
        "old.willConnect", "old.willConnect returns", "old is gone", "new.restore",
        "new.didBecomeActive", "new.didReceive", "new.didEnterBackground", "new.capture",
        "new.didDisconnect", "new is gone",
      ])
    #expect(saved == "new")
  }

  @Test func `so it is in the middle of its life`() async throws {
    let (calls, _) = try await Self.play(successor: "new", at: "didReceive")
    #expect(
      calls.dropFirst(3) == [
        "old.didReceive", "old.didReceive returns", "old is gone", "new.didEnterBackground",
        "new.capture", "new.didDisconnect", "new is gone",
      ])
  }

  @Test func `one that is captured finishes its answer`() async throws {
    let (calls, saved) = try await Self.play(successor: "new", at: "capture")
    #expect(
      calls.suffix(5) == [
        "old.capture", "old.capture returns", "old is gone", "new.didDisconnect", "new is gone",
      ])
    #expect(saved == "old")
  }

  @Test func `a scene without one goes on, and keeps the state that was saved (R-SR-4)`()
    async throws
  {
    let (calls, saved) = try await Self.play(successor: nil, at: "restore")
    #expect(
      calls == ["old.willConnect", "old.restore", "old.restore returns", "old is gone"])
    #expect(saved == "draft")
  }

  @Test func `one that is set in the last callback is let go of as well`() async throws {
    let (calls, _) = try await Self.play(successor: "new", at: "didDisconnect")
    #expect(
      calls.suffix(4) == [
        "old.didDisconnect", "old.didDisconnect returns", "old is gone", "new is gone",
      ]
        || calls.suffix(4) == [
          "old.didDisconnect", "old.didDisconnect returns", "new is gone", "old is gone",
        ])
  }
}
