// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A scene that is named and shown as the activity says that it was made with.
final class TitledDelegate: SceneDelegate {
  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    if let title = options.userActivities.first?.title { scene.title = title }
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    Array("snapshot of \(scene.title ?? "nothing")".utf8)
  }
}

extension Application {
  /// Opens a window with a title.
  nonisolated func open(_ title: String) async throws -> SceneSession {
    try await activateSceneSession(for: .init(userActivity: UserActivity("window", title: title)))
  }
}
