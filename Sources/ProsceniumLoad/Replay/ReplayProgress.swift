// SPDX-License-Identifier: Apache-2.0

/// Decides when to show how far a replay is, and makes the text.
///
/// On a terminal one line is rewritten up to ten times a second; elsewhere a plain line appears
/// every five seconds. It writes nothing itself.
public struct ReplayProgress<C: Clock>: Sendable where C.Duration == Duration {
  /// Where the text goes.
  public enum Style: Hashable, Sendable {
    /// A terminal of so many columns, whose line is rewritten.
    case terminal(columns: Int)
    /// A file or a pipe, which gets whole lines.
    case lines
  }

  private let style: Style
  private let clock: C
  private let start: C.Instant
  private var nextTime: C.Instant

  /// Makes a progress display that starts now.
  ///
  /// - Parameters:
  ///   - style: Where the text goes.
  ///   - clock: Tells the time.
  public init(_ style: Style, clock: C) {
    self.style = style
    self.clock = clock
    start = clock.now
    nextTime = start.advanced(by: Self.interval(style))
  }

  /// The time since the start.
  public var elapsed: Duration { start.duration(to: clock.now) }

  /// The text to write now, its line end or return included; nil where it is too early.
  public mutating func text(_ position: ReplayPosition) -> String? {
    text { position.line(elapsed: $0, columns: $1) }
  }

  /// The text to write now, made of a line that gets the elapsed time and how many columns fit.
  package mutating func text(_ line: (Duration, Int?) -> String) -> String? {
    let now = clock.now
    guard now >= nextTime else { return nil }
    nextTime = now.advanced(by: Self.interval(style))
    let elapsed = start.duration(to: now)
    switch style {
    case .terminal(let columns):
      // The last column is left free: some terminals wrap there.
      return "\r" + line(elapsed, max(columns - 1, 0)) + "\u{1B}[K"
    case .lines:
      return line(elapsed, nil) + "\n"
    }
  }

  /// The text that removes the rewritten line; empty where there is none.
  public var end: String {
    switch style {
    case .terminal: "\r\u{1B}[K"
    case .lines: ""
    }
  }

  private static func interval(_ style: Style) -> Duration {
    switch style {
    case .terminal: .milliseconds(100)
    case .lines: .seconds(5)
    }
  }
}

/// Shows how far a replay is.
public struct ReplayDisplay<C: Clock>: Sendable where C.Duration == Duration {
  private var progress: ReplayProgress<C>
  private var start = 0.0
  private let write: @Sendable (String) -> Void

  /// Makes a display that begins now.
  ///
  /// - Parameters:
  ///   - progress: Decides what is shown and when.
  ///   - write: Takes the text; it is called by one task only, which it holds up.
  public init(_ progress: ReplayProgress<C>, write: @escaping @Sendable (String) -> Void) {
    self.progress = progress
    self.write = write
  }

  /// Says that the run begins so far within the log.
  mutating func begin(at fraction: Double?) {
    start = fraction ?? 0
  }

  mutating func show(_ requests: Int, _ fraction: Double?) {
    let position = ReplayPosition(requests: requests, fraction: fraction, start: start)
    if let text = progress.text(position) { write(text) }
  }

  func finish() {
    if !progress.end.isEmpty { write(progress.end) }
  }
}

/// How far a replay is.
public struct ReplayPosition: Hashable, Sendable {
  /// The number of requests that have been delivered.
  public var requests: Int
  /// The part of the log that has been read, 0–1; nil where its size is not known.
  public var fraction: Double?
  /// The part that had been read when the run began, below the fraction.
  public var start = 0.0

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
