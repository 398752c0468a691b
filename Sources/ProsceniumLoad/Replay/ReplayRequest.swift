// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// One line of the log on its way to a session.
struct ReplayRequest: Sendable {
  /// The number of the line, from 1.
  let line: Int
  let user: ReplayUser
  let identifier: ReplayIdentifier
  /// The size of the response.
  let bytes: Int64
  /// The log time of the line: the largest stamp so far, in seconds since 1970.
  let time: Int64
  /// Whether the request has no referrer, so that it opens a window unless one shows the path.
  let isActivation: Bool

  /// The request as its session sees it.
  var activity: UserActivity {
    UserActivity(
      "request",
      userInfo: ["line": .integer(Int64(line)), "bytes": .integer(bytes), "time": .integer(time)],
      targetContentIdentifier: identifier.description)
  }
}

/// What a session reads from the activity of a request.
struct ReplayVisit: Sendable {
  let line: Int
  let bytes: Int64
  let time: Int64
  /// The identifier's part before the tab, such as `u17/`.
  let prefix: String
  let tab: String

  /// Reads an activity.
  ///
  /// - Returns: nil where the activity is not that of a request.
  init?(_ activity: UserActivity) {
    guard let line = activity.userInfo["line"]?.integer,
      let bytes = activity.userInfo["bytes"]?.integer,
      let time = activity.userInfo["time"]?.integer,
      let identifier = activity.targetContentIdentifier,
      let slash = identifier.utf8.firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    self.line = Int(line)
    self.bytes = bytes
    self.time = time
    let end = identifier.utf8.index(after: slash)
    prefix = String(identifier[..<end])
    tab = String(identifier[end...])
  }
}
