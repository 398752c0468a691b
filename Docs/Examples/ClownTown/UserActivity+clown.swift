// SPDX-License-Identifier: Apache-2.0

import Proscenium

// A clown is named by an identifier, `clown:bozo`: in URLs, notifications, activities and routing.
extension UserActivity {
  static func editing(_ clown: String) -> UserActivity {
    UserActivity("edit", targetContentIdentifier: "clown:\(clown)")
  }

  var clown: String? { targetContentIdentifier.flatMap(clownName) }
}

extension Scene.ConnectionOptions {
  /// The clown that the window is opened for, whatever opens it.
  var clown: String? {
    userActivities.first?.clown
      ?? urlContexts.first.flatMap { clownName($0.url) }
      ?? notificationResponse?.targetContentIdentifier.flatMap(clownName)
  }
}

private func clownName(_ identifier: String) -> String? {
  identifier.hasPrefix("clown:") ? String(identifier.dropFirst("clown:".count)) : nil
}
