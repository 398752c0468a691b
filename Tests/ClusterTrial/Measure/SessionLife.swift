// SPDX-License-Identifier: Apache-2.0

#if Links && Complete
  import Proscenium

  /// Whole lives of sessions whose state is durable before the scene is disconnected.
  struct SessionLife: Sendable {
    /// A delegate that captures a draft whenever it is told anything, and is restored from it.
    private final class DraftDelegate: SceneDelegate {
      private var activity: UserActivity?

      func scene(
        _ scene: isolated Scene, willConnectTo session: SceneSession,
        options: Scene.ConnectionOptions
      ) {
        activity =
          session.stateRestorationActivity
          ?? UserActivity(
            "draft",
            userInfo: [
              "title": .string("A draft of a letter"), "edits": .integer(7),
              "text": .string(String(repeating: "so much text ", count: 50)),
            ])
      }

      func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
        scene.setNeedsCapture()
      }

      func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { activity }
    }

    private static let callers = 64

    /// Lets sessions live on a store for a while.
    ///
    /// - Returns: How many lived and ended in a second.
    @concurrent
    static func rate(on store: some SessionStore, for time: Duration) async throws -> Double {
      let manifest: SceneManifest = [SceneConfiguration("Draft") { DraftDelegate() }]
      return try await Application.withRunning(manifest: manifest, store: store) { application in
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: time)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
          for _ in 0..<callers {
            group.addTask {
              var count = 0
              while clock.now < end {
                try await live(application)
                count += 1
              }
              return count
            }
          }
          return try await group.reduce(0, +)
        }
        return Double(count) / (time / .seconds(1))
      }
    }

    private static func live(_ application: Application) async throws {
      let session = try await application.activateSceneSession().id
      try await application.host.perform(.background(session))
      try await application.sendDurably("", to: session)
      try await application.host.perform(.disconnect(session))
      _ = try await application.activateSceneSession(for: .init(session: session))
      try await application.requestSceneSessionDestruction(session)
    }
  }
#endif
