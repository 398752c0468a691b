// SPDX-License-Identifier: Apache-2.0

/// A state of a window in 32 bytes, enough to tell whether it is the expected one.
public struct ReplayStateSummary: Hashable, Sendable, CustomStringConvertible {
  /// The number of requests that the window has seen.
  public let requests: Int
  /// The sum of their responses' bytes.
  public let bytes: Int64
  /// A check sum of the lines that it saw, in their order.
  public let linesDigest: UInt64
  /// A check sum of the open tabs in their order.
  public let tabsDigest: UInt64

  /// Makes a summary of its parts.
  ///
  /// - Parameters:
  ///   - requests: The number of requests.
  ///   - bytes: The sum of their bytes.
  ///   - linesDigest: The check sum of their lines.
  ///   - tabsDigest: The check sum of the open tabs.
  public init(requests: Int, bytes: Int64, linesDigest: UInt64, tabsDigest: UInt64) {
    self.requests = requests
    self.bytes = bytes
    self.linesDigest = linesDigest
    self.tabsDigest = tabsDigest
  }

  /// Sums a state up.
  ///
  /// - Parameters:
  ///   - requests: The number of requests.
  ///   - bytes: The sum of their bytes.
  ///   - lines: Sums up the numbers of their lines.
  ///   - tabs: The open tabs, the most recent last.
  init(requests: Int, bytes: Int64, lines: ReplayDigest, tabs: some Sequence<String>) {
    var digest = ReplayDigest()
    for tab in tabs { digest.add(tab) }
    self.init(
      requests: requests, bytes: bytes, linesDigest: lines.value, tabsDigest: digest.value)
  }

  /// The numbers in words, with the check sums in hexadecimal digits.
  public var description: String {
    "\(requests) requests, \(bytes) B, lines \(String(linesDigest, radix: 16)), "
      + "tabs \(String(tabsDigest, radix: 16))"
  }
}
