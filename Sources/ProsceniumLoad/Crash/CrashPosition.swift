// SPDX-License-Identifier: Apache-2.0

/// How far a crash test is.
package struct CrashPosition: Hashable, Sendable {
  /// Kills so far.
  package var kills: Int
  /// Acknowledged states so far.
  package var acknowledgements: Int
  /// How much of the test is over, 0–1.
  package var fraction: Double

  /// The position as one line, such as
  /// `[##########..........]  50 %  120 kills  1,234,567 acknowledged  0:40 elapsed  0:40 left`.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the start.
  ///   - columns: The number of characters that fit; the rest is cut off. nil sets no limit.
  /// - Returns: The line, without an end.
  package func line(elapsed: Duration, columns: Int?) -> String {
    let seconds = elapsed / .seconds(1)
    var parts = [ReplayPosition.bar(fraction)]
    parts.append("\(NumberText.grouped(kills)) kills")
    parts.append("\(NumberText.grouped(acknowledgements)) acknowledged")
    parts.append(NumberText.clock(seconds: seconds) + " elapsed")
    if fraction > 0 {
      parts.append(NumberText.clock(seconds: seconds / fraction - seconds) + " left")
    }
    let line = parts.joined(separator: "  ")
    return columns.map { String(line.prefix($0)) } ?? line
  }
}
