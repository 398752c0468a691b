// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  import UIKit

  extension NSUserActivity {
    /// The state of a window.
    convenience init(_ note: NoteWindow) {
      self.init(activityType: "jotter.note")
      targetContentIdentifier = note.identifier
      userInfo = note.state
    }

    /// The texts that the activity holds.
    var texts: [String: String] { userInfo as? [String: String] ?? [:] }
  }
#else
  import Proscenium

  extension UserActivity {
    /// The state of a window.
    init(_ note: NoteWindow) {
      self.init(
        "jotter.note", userInfo: note.state.mapValues { .string($0) },
        targetContentIdentifier: note.identifier)
    }

    /// The texts that the activity holds.
    var texts: [String: String] { userInfo.compactMapValues(\.string) }
  }
#endif
