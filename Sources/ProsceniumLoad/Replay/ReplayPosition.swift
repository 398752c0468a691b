// SPDX-License-Identifier: Apache-2.0

/// How far a replay is.
public struct ReplayPosition: Hashable, Sendable {
  /// The number of requests that have been delivered.
  public var requests: Int
  /// The part of the log that has been read, 0–1; nil where its size is not known.
  public var fraction: Double?
  /// The part that had been read when the run began, below the fraction.
  public var start: Double

  /// Makes a position.
  public init(requests: Int, fraction: Double?, start: Double = 0) {
    self.requests = requests
    self.fraction = fraction
    self.start = start
  }

  /// The position as one line, such as
  /// `[##########..........]  50 %  5,000 requests  1.2 k/s  0:04 elapsed  0:04 left`.
  ///
  /// Bar, percentage and remaining time are left out where the fraction is not known.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the start.
  ///   - columns: The number of characters that fit; the rest is cut off. nil sets no limit.
  /// - Returns: The line, without an end.
  public func line(elapsed: Duration, columns: Int?) -> String {
    let seconds = elapsed / .seconds(1)
    var parts: [String] = []
    var remaining: Double?
    if let fraction {
      let share = Self.share(fraction)
      parts.append(Self.bar(share))
      if share > start { remaining = seconds * (1 - share) / (share - start) }
    }
    parts.append(NumberText.grouped(requests) + " requests")
    if seconds > 0 { parts.append(NumberText.rate(Double(requests) / seconds)) }
    parts.append(NumberText.clock(seconds: seconds) + " elapsed")
    if let remaining { parts.append(NumberText.clock(seconds: remaining) + " left") }
    let line = parts.joined(separator: "  ")
    return columns.map { String(line.prefix($0)) } ?? line
  }

  /// A fraction as a bar with its percentage.
  package static func bar(_ fraction: Double) -> String {
    let share = share(fraction)
    let filled = Int(share * Double(barWidth))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: ".", count: barWidth - filled)
    let percent = String(Int(share * 100))
    return "[\(bar)] " + String(repeating: " ", count: 3 - percent.count) + percent + " %"
  }

  /// A fraction, brought to 0–1.
  private static func share(_ fraction: Double) -> Double {
    min(max(fraction.isFinite ? fraction : 0, 0), 1)
  }

  private static let barWidth = 20
}
