// SPDX-License-Identifier: Apache-2.0

/// The state of one window of the replay: what it has seen, and its open tabs.
///
/// Its text fits into one string of a user activity:
/// ```
/// 12 48213 /index.html /articles/7
/// ```
/// requests, bytes, then the tabs, each behind a slash, the most recent last.
public struct ReplayState: Hashable, Sendable, CustomStringConvertible {
  /// The largest number of tabs that a window can be given.
  public static let tabLimit = 14

  /// The number of requests that the window has seen.
  public private(set) var requests = 0
  /// The sum of their responses' bytes.
  public private(set) var bytes: Int64 = 0
  /// The last different tabs, the most recent last.
  public private(set) var tabs: [String] = []

  /// Makes the state of a new window.
  public init() {}

  /// Takes account of a request.
  ///
  /// - Parameters:
  ///   - tab: The short form of the path, as ``ReplayIdentifier`` makes it. If it is open, it
  ///     becomes the most recent one.
  ///   - bytes: The size of the response.
  ///   - capacity: The number of tabs that stay open; the oldest one closes.
  public mutating func note(tab: String, bytes: Int64, capacity: Int) {
    requests += 1
    self.bytes &+= bytes
    if let index = tabs.firstIndex(where: { $0.utf8.elementsEqual(tab.utf8) }) {
      tabs.remove(at: index)
    }
    tabs.append(tab)
    if tabs.count > capacity { tabs.removeFirst(tabs.count - capacity) }
  }

  /// What the run reports of the state to the verifier.
  public var summary: ReplayStateSummary {
    ReplayStateSummary(requests: requests, bytes: bytes, tabs: tabs)
  }

  /// The text from which ``init(_:)`` makes an equal state.
  public var description: String {
    tabs.reduce("\(requests) \(bytes)") { $0 + " /" + $1 }
  }

  /// Reads the text of a state.
  ///
  /// - Returns: nil where the text is not one that ``description`` gives.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count >= 2, let requests = Int(parts[0]), requests >= 0,
      let bytes = Int64(parts[1]), parts.count - 2 <= Self.tabLimit
    else { return nil }
    for part in parts[2...] {
      guard part.utf8.first == UInt8(ascii: "/") else { return nil }
      tabs.append(String(part.dropFirst()))
    }
    self.requests = requests
    self.bytes = bytes
    // "+1" and "007" are read as numbers, too.
    if description != text { return nil }
  }
}
