// SPDX-License-Identifier: Apache-2.0

/// Tells to which session each request of a log goes, by the rules of `proscenium replay`.
///
/// A session is a browser window of a user, who has up to eight; a window shows its last eight
/// paths as tabs. A request goes to a window that has its path open; else one with a referrer to
/// any window, and one without to a new window. Of several windows it is the last one used. One
/// window too many destroys the least recently used of its user.
struct PolicyWindows: Sendable {
  private struct Window: Sendable {
    let session: UInt32
    /// Numbers of paths, the most recent last.
    var tabs: [UInt32] = []
  }

  private let windowLimit = ReplaySettings().windows
  private let tabLimit = ReplaySettings().tabs
  private var users = ReplayUsers()
  private var paths: [String: UInt32] = [:]
  /// The open windows of each user, the most recently used last.
  private var open: [[Window]] = []
  /// The number of sessions so far.
  private(set) var sessionCount = 0

  /// Takes the next request.
  ///
  /// - Returns: The session that it goes to, and the one that is destroyed for it.
  mutating func session(for line: AccessLogLine) -> (session: UInt32, destroyed: UInt32?) {
    let user = users.user(of: line).number - 1
    if user == open.count { open.append([]) }
    let path = number(of: line.location)
    let index =
      open[user].lastIndex { $0.tabs.contains(path) }
      ?? (line.referrer == nil ? nil : open[user].indices.last)
    var window: Window
    var destroyed: UInt32?
    if let index {
      window = open[user].remove(at: index)
    } else {
      if open[user].count == windowLimit { destroyed = open[user].removeFirst().session }
      window = Window(session: UInt32(sessionCount))
      sessionCount += 1
    }
    window.tabs.removeAll { $0 == path }
    if window.tabs.count == tabLimit { window.tabs.removeFirst() }
    window.tabs.append(path)
    open[user].append(window)
    return (window.session, destroyed)
  }

  private mutating func number(of path: String) -> UInt32 {
    let tab = ReplayIdentifier.tab(forPath: path)
    if let number = paths[tab] { return number }
    let number = UInt32(paths.count)
    paths[tab] = number
    return number
  }
}
