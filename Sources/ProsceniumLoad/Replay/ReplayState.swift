// SPDX-License-Identifier: Apache-2.0

/// The state of one window of the replay: what it has seen, and its open tabs.
///
/// Its text fits into one string of a user activity:
/// ```
/// 12 48213 8c1f0d…e2 51b07a…09 3,17,90 /index.html /articles/7
/// ```
/// requests, bytes, a digest of the numbers of all lines that it saw, one of the log up to the last
/// of them, the last of those numbers, then the tabs, each behind a slash, the most recent last.
public struct ReplayState: Hashable, Sendable, CustomStringConvertible {
  /// The largest number of tabs that a window can be given.
  public static let tabLimit = 14
  /// How many of the last lines a state names.
  static let recentLimit = 16

  /// The number of requests that the window has seen.
  public private(set) var requests = 0
  /// The sum of their responses' bytes.
  public private(set) var bytes: Int64 = 0
  /// The last different tabs, the most recent last.
  public private(set) var tabs: [String] = []
  /// The numbers of the last lines, at most ``recentLimit``.
  private(set) var recentLines: [Int] = []
  /// Sums up the numbers of all lines, in the order in which they were seen.
  private(set) var lines = ReplayDigest()
  /// Sums up the log up to the last line that was seen.
  private(set) var log = ReplayDigest()

  /// Makes the state of a new window.
  public init() {}

  /// Takes account of a request.
  ///
  /// - Parameters:
  ///   - tab: The short form of the path, as ``ReplayIdentifier`` makes it. If it is open, it
  ///     becomes the most recent one.
  ///   - bytes: The size of the response.
  ///   - line: The number of the line.
  ///   - log: Sums up the log up to the line.
  ///   - capacity: The number of tabs that stay open; the oldest one closes.
  public mutating func note(
    tab: String, bytes: Int64, line: Int, log: UInt64 = 0, capacity: Int
  ) {
    requests += 1
    self.bytes &+= bytes
    lines.add(number: Int64(line))
    self.log = ReplayDigest(value: log)
    recentLines.append(line)
    if recentLines.count > Self.recentLimit { recentLines.removeFirst() }
    if let index = tabs.firstIndex(where: { $0.utf8.elementsEqual(tab.utf8) }) {
      tabs.remove(at: index)
    }
    tabs.append(tab)
    if tabs.count > capacity { tabs.removeFirst(tabs.count - capacity) }
  }

  /// What the run reports of the state to the verifier.
  public var summary: ReplayStateSummary {
    ReplayStateSummary(requests: requests, bytes: bytes, lines: lines, tabs: tabs)
  }

  /// The text from which ``init(_:)`` makes an equal state.
  public var description: String {
    let recent = recentLines.map { String($0) }.joined(separator: ",")
    let counts = "\(requests) \(bytes) \(lines.text) \(log.text) "
    return tabs.reduce(counts + (recent.isEmpty ? "-" : recent)) { $0 + " /" + $1 }
  }

  /// Reads the text of a state.
  ///
  /// - Returns: nil where the text is not one that ``description`` gives.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count >= 5, let requests = Int(parts[0]), requests >= 0,
      let bytes = Int64(parts[1]), let lines = ReplayDigest(parts[2]),
      let log = ReplayDigest(parts[3]), parts.count - 5 <= Self.tabLimit
    else { return nil }
    for part in parts[5...] {
      guard part.utf8.first == UInt8(ascii: "/") else { return nil }
      tabs.append(String(part.dropFirst()))
    }
    self.requests = requests
    self.bytes = bytes
    self.lines = lines
    self.log = log
    if parts[4] != "-" { recentLines = parts[4].split(separator: ",").compactMap { Int($0) } }
    // "+1" and "007" are read as numbers, too.
    if recentLines.count > Self.recentLimit || description != text { return nil }
  }
}

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

  /// The numbers in words, with the check sums in hexadecimal digits.
  public var description: String {
    "\(requests) requests, \(bytes) B, lines \(String(linesDigest, radix: 16)), "
      + "tabs \(String(tabsDigest, radix: 16))"
  }
}

extension ReplayStateSummary {
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
}

/// Sums up texts and numbers in 64 bits (FNV-1a), the same on every machine.
///
/// It tells contents apart that differ by accident; it is no protection against intent.
struct ReplayDigest: Hashable, Sendable {
  private(set) var value: UInt64

  /// Makes the digest that has a value; that of nothing unless another is given.
  init(value: UInt64 = 0xCBF2_9CE4_8422_2325) {
    self.value = value
  }

  /// Adds a text and its end, so that `ab`, `c` differs from `a`, `bc`.
  mutating func add(_ text: String) {
    for byte in text.utf8 { add(byte: byte) }
    add(byte: 0xFF)
  }

  /// Adds a number.
  mutating func add(number: Int64) {
    for shift in stride(from: Int64(0), to: 64, by: 8) {
      add(byte: UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Adds everything of a request that a replay uses.
  mutating func add(_ request: AccessLogLine, line: Int) {
    add(number: Int64(line))
    add(request.client)
    add(request.userAgent ?? "-")
    add(request.location)
    add(number: request.time)
    add(number: request.bytes)
    add(number: request.referrer == nil ? 0 : 1)
  }

  private mutating func add(byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }
}

extension ReplayDigest {
  /// Reads the sixteen lower-case hexadecimal digits that ``text`` gives.
  init?(_ text: some StringProtocol) {
    guard let value = UInt64(text, radix: 16) else { return nil }
    self.init(value: value)
    if self.text != text { return nil }
  }

  /// The sum as sixteen lower-case hexadecimal digits.
  var text: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
