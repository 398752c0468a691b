// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

@testable import Proscenium

/// A delegate that writes down every entry that it receives, and reads everything out when called.
final class Diary: SceneDelegate {
  private var text = ""

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    text = session.stateRestorationActivity?.title ?? ""
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    text += message.string
    scene.setNeedsCapture()
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    SceneMessage(text)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { .titled(text) }
}

/// What a client knows of the diaries that it alone writes.
struct DiaryRecord: Sendable {
  /// Everything that may be in it, in order.
  var entries: [String] = []
  /// How many of them are acknowledged: they are in it, whatever happens.
  var acknowledged = 0

  /// Compares what is in the diary with what may be in it.
  ///
  /// The entries that are not there were lost, which the record notes.
  ///
  /// - Returns: What is wrong, or `nil`.
  mutating func compare(_ text: String) -> String? {
    var prefix = ""
    var count = 0
    while prefix != text, count < entries.count {
      prefix += entries[count]
      count += 1
    }
    guard prefix == text else { return "\"\(text)\" is no beginning of \(entries)" }
    guard count >= acknowledged else {
      return "\"\(text)\" lacks some of the \(acknowledged) that are acknowledged: \(entries)"
    }
    entries.removeLast(entries.count - count)
    acknowledged = count
    return nil
  }
}
