// SPDX-License-Identifier: Apache-2.0

/// A state of a window in 24 bytes, enough to tell whether it is the expected one.
public struct ReplayStateSummary: Hashable, Sendable, CustomStringConvertible {
  /// The number of requests that the window has seen.
  public let requests: Int
  /// The sum of their responses' bytes.
  public let bytes: Int64
  /// A check sum of the open tabs in their order.
  public let tabsDigest: UInt64

  /// Sums a state up.
  ///
  /// - Parameters:
  ///   - requests: The number of requests.
  ///   - bytes: The sum of their bytes.
  ///   - tabs: The open tabs, the most recent last.
  public init(requests: Int, bytes: Int64, tabs: some Sequence<String>) {
    self.requests = requests
    self.bytes = bytes
    var digest = ReplayDigest()
    for tab in tabs { digest.add(tab) }
    tabsDigest = digest.value
  }

  /// The numbers in words, with the check sum in hexadecimal digits.
  public var description: String {
    "\(requests) requests, \(bytes) B, tabs \(String(tabsDigest, radix: 16))"
  }
}
