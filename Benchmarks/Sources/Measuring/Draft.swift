// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Proscenium

/// The state that all contenders save and restore: ten fields, about 700 bytes when it is encoded.
package enum Draft {
  private static let model: UserActivity = {
    var activity = UserActivity(
      "org.example.draft",
      userInfo: [
        "document": .string("6f1c2d3e-4b5a-4968-8776-95a4b3c2d1e0"),
        "author": .string("0e1d2c3b-4a59-4687-9675-a4b3c2d1e0f6"),
        "edited": .date(Date(timeIntervalSinceReferenceDate: 812_345_678.25)),
        "tags": .array((0..<16).map { .string("tag number \($0)") }),
        "thumbnail": .data((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) }),
        "zoom": .real(1.25),
        "isPinned": .boolean(true),
      ])
    activity.title = "A draft of a letter"
    return activity
  }()

  /// A draft that was edited so many times.
  package static func edited(_ times: Int64) -> UserActivity {
    var activity = model
    activity.userInfo["edits"] = .integer(times)
    return activity
  }
}

/// The delegate of a scene that shows a draft, saves it, and checks what it is restored from.
package final class DraftDelegate: SceneDelegate {
  private var activity = Draft.edited(0)

  package init() {}

  package func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    // Each session has another count of edits, which it is known by.
    let expected = Draft.edited(Int64(truncatingIfNeeded: session.persistentIdentifier.hashValue))
    if let saved = session.stateRestorationActivity, saved != expected {
      // A delegate cannot throw, and figures of a runtime that mixes states up are worth nothing.
      fatalError("a draft was not restored as it was saved")
    }
    activity = expected
  }

  /// A message asks for the state to be captured.
  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    scene.setNeedsCapture()
  }

  package func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { activity }
}

/// The delegate of a scene whose draft every message edits.
package final class EditingDelegate: SceneDelegate {
  private var activity = Draft.edited(0)
  private var edits: Int64 = 0

  package init() {}

  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    edits += 1
    activity.userInfo["edits"] = .integer(edits)
    scene.setNeedsCapture()
  }

  package func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { activity }
}
