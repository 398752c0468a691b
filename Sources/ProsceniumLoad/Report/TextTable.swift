// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// Lays out cells of text in columns.
///
/// ```
/// requests       9,999
/// restored          64  12.5 %
/// ```
public struct TextTable: Hashable, Sendable, CustomStringConvertible {
  /// On which side the cells of a column are filled up.
  public enum Alignment: Hashable, Sendable {
    /// Text begins at the column's left edge.
    case left
    /// Text ends at the column's right edge, as numbers should.
    case right
  }

  private let alignments: [Alignment]
  private let indent: String
  private var rows: [[String]] = []

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - alignments: One alignment for each column.
  ///   - indent: The number of spaces before each row.
  public init(_ alignments: [Alignment], indent: Int = 0) {
    self.alignments = alignments
    self.indent = String(repeating: " ", count: max(indent, 0))
  }

  /// Adds a row; missing cells are empty, cells without a column are left-aligned.
  public mutating func add(_ cells: String...) {
    rows.append(cells)
  }

  /// Adds a row of as many cells as there are.
  package mutating func add(row cells: [String]) {
    rows.append(cells)
  }

  /// Adds a row of a name, a whole number and its unit.
  public mutating func add(_ name: String, _ number: Int, _ unit: String = "") {
    rows.append([name, NumberText.grouped(number), unit])
  }

  /// The rows with two spaces between the columns and none at their ends; each row ends its line.
  public var description: String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let alignment = column < alignments.count ? alignments[column] : .left
        return alignment == .left ? cell + padding : padding + cell
      }
      let line = indent + cells.joined(separator: "  ")
      let end = line.lastIndex { $0 != " " }
      return (end.map { String(line[...$0]) } ?? "") + "\n"
    }.joined()
  }
}

/// Shows how far long work is.
///
/// On a terminal one line is rewritten up to ten times a second; elsewhere a plain line appears
/// every five seconds.
package final class ProgressLine: Sendable {
  private static let barWidth = 20

  private let columns: Int?
  private let stopwatch: @Sendable () -> Duration
  private let write: @Sendable (String) -> Void
  /// When the next line is due.
  private let nextTime: Guarded<Duration>

  private var interval: Duration { columns == nil ? .seconds(5) : .milliseconds(100) }

  /// Makes a line for work that begins now.
  ///
  /// - Parameters:
  ///   - columns: The columns of the terminal, or nil for a file or a pipe, which gets whole lines.
  ///   - clock: Tells the time.
  ///   - write: Takes the text, its line end or return included; called from any thread.
  package init(
    columns: Int?, clock: any Clock<Duration>, write: @escaping @Sendable (String) -> Void
  ) {
    self.columns = columns
    self.write = write
    stopwatch = clock.stopwatch()
    nextTime = Guarded(columns == nil ? .seconds(5) : .milliseconds(100))
  }

  /// The time since the work began.
  package var elapsed: Duration { stopwatch() }

  /// Shows the position if it is time, such as
  /// `[##########..........]  50 %  5,000 requests  1.2 k/s  0:04 elapsed  0:04 left`.
  ///
  /// - Parameters:
  ///   - fraction: How much of the work is done, 0 to 1; nil, which leaves out the bar and the
  ///     remaining time, where that is not known.
  ///   - start: How much of it was done when it began.
  ///   - left: How many seconds remain, where that is not to be estimated.
  ///   - parts: What else there is to say, by the seconds since the beginning.
  package func show(
    _ fraction: Double?, from start: Double = 0, left: Double? = nil,
    _ parts: (_ seconds: Double) -> [String]
  ) {
    let elapsed = stopwatch()
    let isDue = nextTime.withLock { next in
      guard elapsed >= next else { return false }
      next = elapsed + interval
      return true
    }
    guard isDue else { return }
    let seconds = elapsed / .seconds(1)
    let share = fraction.map { min(max($0.isFinite ? $0 : 0, 0), 1) }
    var words = (share.map { [Self.bar($0)] } ?? []) + parts(seconds)
    words.append(NumberText.clock(seconds: seconds) + " elapsed")
    let estimate = share.flatMap { $0 > start ? seconds * (1 - $0) / ($0 - start) : nil }
    if let left = left ?? estimate { words.append(NumberText.clock(seconds: left) + " left") }
    let line = words.joined(separator: "  ")
    // The last column is left free: some terminals wrap there.
    write(columns.map { "\r" + line.prefix(max($0 - 1, 0)) + "\u{1B}[K" } ?? line + "\n")
  }

  /// Takes the line away.
  package func end() {
    if columns != nil { write("\r\u{1B}[K") }
  }

  private static func bar(_ share: Double) -> String {
    let filled = Int(share * Double(barWidth))
    let percent = String(Int(share * 100))
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: ".", count: barWidth - filled) + "] "
      + String(repeating: " ", count: 3 - percent.count) + percent + " %"
  }
}
