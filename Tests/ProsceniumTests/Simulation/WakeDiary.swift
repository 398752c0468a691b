// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium

/// A delegate that writes down the title of every activity that it is given, and reads it out.
final class WakeDiary: SceneDelegate {
  private var text = ""

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.title ?? ""
    for activity in options.userActivities { note(activity) }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(activity)
  }

  private func note(_ activity: UserActivity) {
    text += "\(activity.title ?? "");"
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {}

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    SceneMessage(text)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { .titled(text) }
}

/// What a client knows of a wake.
enum WakeFate: Equatable {
  /// It asked for it, and was not told whether there is one.
  case asked
  /// It was told that there is one: it has to come, once.
  case promised(Wake.ID)
  /// It asked to cancel it, and was not told what became of it.
  case doubtful
  /// It was told that it does not come.
  case cancelled

  /// What is wrong if it came so often; nil if nothing is.
  func finding(_ count: Int) -> String? {
    switch self {
    case .promised where count != 1: "came \(count) times, and was promised"
    case .cancelled where count != 0: "came \(count) times, and was cancelled"
    case .asked where count > 1, .doubtful where count > 1: "came \(count) times"
    default: nil
    }
  }
}
