// SPDX-License-Identifier: Apache-2.0

#if Live && Complete
  /// How often slices got another owner in a deploy, as their clients saw it.
  struct SliceMoves: Sendable, Equatable {
    /// How often a slice may move on average.
    static let bar = 1.2

    /// How long the deploy took.
    let seconds: Double
    let mean: Double
    let highest: Int

    /// Compares how often each slice had got another owner before with how often it had after.
    init(from before: [Int: UInt64], to after: [Int: UInt64], seconds: Double) {
      let moves = after.map { slice, count in
        Int(clamping: count - min(before[slice] ?? 0, count))
      }
      self.seconds = seconds
      mean = Double(moves.reduce(0, +)) / Double(max(moves.count, 1))
      highest = moves.max() ?? 0
    }
  }
#endif
