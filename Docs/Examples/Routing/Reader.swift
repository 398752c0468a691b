// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// A window that shows one page of a newspaper after another.
final class Reader: SceneDelegate {
  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    if let activity = options.userActivities.first { show(activity, in: scene) }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    show(activity, in: scene)
  }

  private func show(_ activity: UserActivity, in scene: isolated Scene) {
    guard let page = activity.targetContentIdentifier else { return }
    scene.title = "the window with \(page)"
    scene.activationConditions = Self.conditions(for: page)
  }

  /// A window can show the section of its page, and would rather show the page itself.
  static func conditions(for page: String) -> SceneActivationConditions {
    let section = page.prefix { $0 != "/" } + "/"
    do {
      return SceneActivationConditions(can: try .hasPrefix(section), prefers: try .equals(page))
    } catch {
      return SceneActivationConditions(can: .false)  // a name of over 4,096 bytes
    }
  }

  /// The same, from the moment in which a session is admitted until its scene has connected.
  static func initialConditions(_ options: Scene.ConnectionOptions) -> SceneActivationConditions {
    guard let page = options.userActivities.first?.targetContentIdentifier else {
      return SceneActivationConditions()
    }
    return conditions(for: page)
  }
}

@main struct Demo {
  static func main() async throws {
    var settings = ApplicationSettings()
    settings.identifiers = .counted()  // the same ones in each run
    try await Application.withRunning(
      manifest: [
        .init("Reader", initialConditions: Reader.initialConditions, Reader.init)
      ], settings: settings
    ) { application in
      for page in ["news/1", "news/2", "sport/1"] {
        try await application.activateSceneSession(
          for: .init(userActivity: UserActivity("read", targetContentIdentifier: page)))
      }
      for page in ["news/1", "news/9", "weather"] {
        let decision = try application.route(page)
        let title = decision.session.flatMap { application.session($0)?.title }
        print("\(page): \(decision.rule), \(title ?? "a new window")")
      }

      let page = UserActivity("read", targetContentIdentifier: "news/9")
      let session = try await application.deliver(.activity(page))
      print("delivered to what is now \(session.title ?? "")\n")
      print(try application.explain("news/3"))
    }
  }
}
