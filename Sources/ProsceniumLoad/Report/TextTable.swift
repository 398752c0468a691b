// SPDX-License-Identifier: Apache-2.0

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
