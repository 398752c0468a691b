// SPDX-License-Identifier: Apache-2.0

/// Columns of fixed widths, for rows that are written as they come.
struct TextColumns: Sendable {
  /// The width of each column; a negative one is filled up on the right, as texts should be.
  let widths: [Int]

  /// The line of a row, with its line end.
  func row(_ cells: String...) -> String {
    let line = zip(widths, cells).map { width, cell in
      let filling = String(repeating: " ", count: max(abs(width) - cell.count, 0))
      return width < 0 ? cell + filling : filling + cell
    }.joined()
    return line.reversed().drop { $0 == " " }.reversed() + "\n"
  }
}
