// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium

/// A delegate that keeps what it receives, and goes on where it was restored.
///
/// `!` at the end of a message asks for an effect once it is durable, `?` marks nothing.
final class Notebook: SceneDelegate {
  private let log: CallLog
  private var text = ""

  init(_ log: CallLog) {
    self.log = log
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.title ?? ""
    log.append("restored \"\(text)\"")
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += message.string
    if message.string.last == "?" { return }
    scene.setNeedsCapture()
    if message.string.last == "!" {
      scene.afterDurable { [log, text] in log.append("durable \"\(text)\"") }
    }
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    log.append("captured \"\(text.prefix(16))\"")
    return .titled(text)
  }
}

extension Stage {
  /// An application of notebooks.
  static func notebooks(
    store: any SessionStore, log: CallLog = CallLog(),
    settings change: (inout ApplicationSettings) -> Void = { _ in }
  ) -> Stage {
    Stage(
      log: log, store: store, manifest: [SceneConfiguration("Main") { Notebook(log) }],
      settings: change)
  }
}
