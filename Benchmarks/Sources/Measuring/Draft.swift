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
