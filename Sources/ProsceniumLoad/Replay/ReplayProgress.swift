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
