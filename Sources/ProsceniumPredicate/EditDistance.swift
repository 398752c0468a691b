// SPDX-License-Identifier: Apache-2.0

/// How far a misspelt word is from a known one.
enum EditDistance {
  /// The number of bytes to insert, to remove, to replace or to swap with their neighbour.
  static func between(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var rows = [Array(0...right.count)]
    for row in 0..<left.count {
      var next = [row + 1]
      for column in 0..<right.count {
        var cost = rows[row][column] + (left[row] == right[column] ? 0 : 1)
        cost = min(cost, next[column] + 1, rows[row][column + 1] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, rows[row - 1][column - 1] + 1)
        }
        next.append(cost)
      }
      rows.append(next)
    }
    return rows[left.count][right.count]
  }
}
