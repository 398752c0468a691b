// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Draws ranks with a probability in proportion to 1 / (rank + 1), the law of popular pages.
///
/// Whole numbers only, so that every machine draws the same. Eight bytes a rank.
struct ZipfTable: Sendable {
  // The sum of the weights of this rank and those before it.
  private let cumulative: [UInt64]

  /// Makes a table of ranks from 0; a count below 1 counts as 1.
  init(count: Int) {
    self.init((1...max(count, 1)).map { (1 << 40) / UInt64($0) })
  }

  /// Makes a table of ranks with these weights, at least one.
  init(_ weights: [UInt64]) {
    var sum: UInt64 = 0
    cumulative = weights.map { weight in
      sum += weight
      return sum
    }
  }

  /// Draws a rank, in O(log n).
  func rank(_ random: inout SplitMix64) -> Int {
    let total = cumulative[cumulative.count - 1]
    let target = random.next().multipliedFullWidth(by: total).high
    var low = 0
    var high = cumulative.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] > target { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
