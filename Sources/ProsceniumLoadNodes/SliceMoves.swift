// SPDX-License-Identifier: Apache-2.0

/// How often slices got another owner.
package struct SliceMoves: Sendable {
  /// How often a slice may move on average while all nodes are replaced.
  package static let limit = 1.2

  package let mean: Double
  /// How often the one moved that moved most.
  package let highest: Int

  package init(mean: Double = 0, highest: Int = 0) {
    self.mean = mean
    self.highest = highest
  }

  /// Compares how often each slice had got an owner before with how often it had after.
  package init(from before: [Int], to after: [Int]) {
    let moves = zip(before, after).map { $1 - $0 }
    mean = Double(moves.reduce(0, +)) / Double(max(moves.count, 1))
    highest = moves.max() ?? 0
  }
}
