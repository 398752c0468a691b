// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// The runner's own activities, by their labels; each has its label as its title.
final class VectorActivities: Sendable {
  private let activities: Guarded<[String: UserActivity]>

  init(_ setup: VectorSetup) {
    activities = Guarded(
      Dictionary(
        uniqueKeysWithValues: setup.activities.map { label, activity in
          (
            label,
            UserActivity(
              activity.type, title: label, userInfo: activity.userInfo,
              targetContentIdentifier: activity.targetContentIdentifier,
              webpageURL: activity.webpageURL)
          )
        }))
  }

  /// An activity as it is now.
  subscript(label: String) -> UserActivity {
    activities.withLock { $0[label] } ?? UserActivity("t", title: label)
  }

  /// Changes the runner's own activity; what others were given stays as it is.
  func mutate(_ label: String, userInfo: [String: UserInfoValue]) {
    activities.withLock { activities in
      var activity = activities[label]
      activity?.userInfo = userInfo
      activities[label] = activity
    }
  }
}
