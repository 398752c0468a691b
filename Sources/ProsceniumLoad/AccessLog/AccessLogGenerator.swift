// SPDX-License-Identifier: Apache-2.0

public import ProsceniumJSON
import ProsceniumPrimitives

/// Writes an access log in the combined format, as a small public web site would have.
///
/// Popular paths follow Zipf's law, visits follow the hours of the day, and a visit goes from page
/// to page with its referrer; some visitors are robots, which send none. Stamps step back by up
/// to half a minute now and then, as a server's do that writes a line when the response is done.
/// Equal options give equal lines, on every machine: only whole numbers are used.
public struct AccessLogGenerator: Hashable, Sendable {
  /// The number of lines, malformed ones included; 1–1,000,000,000.
  public let lines: Int
  /// The number of users (client and user agent) from which visitors are drawn; 1–10,000,000.
  public let users: Int
  /// The number of paths from which pages are drawn; 1–1,000,000.
  public let paths: Int
  /// The number of days over which the lines are spread; 1–3,650.
  public let days: Int
  /// The number of lines that are no requests, spread evenly; at most all.
  public let malformed: Int
  /// The seed of all that is drawn.
  public let seed: UInt64
  /// The time of the log's first midnight in seconds since 1970.
  public let start: Int64

  /// 2 June 2025 00:00:00 UTC, a Monday.
  public static let defaultStart: Int64 = 1_748_822_400

  /// Makes a generator.
  ///
  /// - Parameters:
  ///   - lines: The number of lines, 1–1,000,000,000.
  ///   - users: The number of users, 1–10,000,000.
  ///   - paths: The number of paths, 1–1,000,000.
  ///   - days: The number of days, 1–3,650.
  ///   - malformed: The number of lines that are no requests, 0–`lines`.
  ///   - seed: The seed of all that is drawn.
  ///   - start: The time of the first midnight in seconds since 1970, between the years 1970
  ///     and 9000.
  /// - Throws: `.parameterOutOfRange`.
  public init(
    lines: Int = 10_000, users: Int = 2_000, paths: Int = 1_500, days: Int = 4,
    malformed: Int = 0, seed: UInt64 = 1, start: Int64 = AccessLogGenerator.defaultStart
  ) throws(FileError) {
    try Self.check("lines", lines, 1...1_000_000_000)
    try Self.check("users", users, 1...10_000_000)
    try Self.check("paths", paths, 1...1_000_000)
    try Self.check("days", days, 1...3_650)
    try Self.check("malformed", malformed, 0...lines)
    try Self.check("start", Int(start), 0...221_845_392_000)
    self.lines = lines
    self.users = users
    self.paths = paths
    self.days = days
    self.malformed = malformed
    self.seed = seed
    self.start = start
  }

  /// Generates the log.
  ///
  /// - Parameter write: Takes each line in turn, without its line end.
  /// - Throws: What `write` throws; nothing else.
  public func generate<Failure: Error>(
    _ write: (String) throws(Failure) -> Void
  ) throws(Failure) {
    var visitors = GeneratedVisitors(users: users, paths: paths, seed: seed)
    let clock = GeneratedClock(start: start, days: days, lines: lines)
    var line = ""
    for index in 0..<lines {
      line.removeAll(keepingCapacity: true)
      let isMalformed = index * malformed / lines != (index + 1) * malformed / lines
      visitors.appendRequest(to: &line, at: clock.time(ofLine: index))
      if isMalformed { Self.damage(&line, &visitors.random) }
      try write(line)
    }
  }

  // As a full disk or an attacker's user agent leaves it: the end of the line is missing. Any
  // other cut could leave a sound line of the common format.
  private static func damage(_ line: inout String, _ random: inout SplitMix64) {
    if random.happens(perThousand: 500) {
      line.removeLast()
    } else {
      line = String(line.prefix(1 + random.number(below: 16)))
    }
  }

  private static func check(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>
  ) throws(FileError) {
    if range.contains(value) { return }
    throw FileError(
      .outOfRange,
      "expected \(name) from \(range.lowerBound) to \(range.upperBound), got \(value).")
  }
}
