// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium

/// The delegate of a session whose state is captured again and again: a draft of 8 properties,
/// about 650 bytes when it is encoded, that each message changes.
final class DraftDelegate: SceneDelegate {
  private var activity: UserActivity
  private var edits: Int64 = 0

  init() {
    activity = Self.draft
  }

  static let draft = UserActivity(
    "org.example.draft",
    userInfo: [
      "document": .string("6f1c2d34-98ab-4cde-8123-456789abcdef"),
      "author": .string("0a9b8c7d-1234-4f56-9abc-def012345678"),
      "edited": .date(Date(timeIntervalSinceReferenceDate: 812_345_678.25)),
      "tags": .array((0..<16).map { .string("tag number \($0)") }),
      "thumbnail": .data((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }),
      "zoom": .real(1.25),
      "isPinned": .boolean(true),
      "edits": .integer(0),
    ])

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    guard let saved = session.stateRestorationActivity else { return }
    activity = saved
    edits = saved.userInfo["edits"]?.integer ?? 0
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    edits += 1
    activity.userInfo["edits"] = .integer(edits)
    scene.setNeedsCapture()
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { activity }
}
