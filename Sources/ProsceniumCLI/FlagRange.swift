// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Refuses values of flags that are out of their ranges.
enum FlagRange {
  static func check(_ flag: String, _ value: Int, _ range: ClosedRange<Int>) throws {
    guard range.contains(value) else {
      throw ValidationError(
        "\(flag) takes a number from \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
  }

  /// Refuses a rate that is not from 0 to a million.
  static func checkRate(_ flag: String, _ value: Double?) throws {
    guard let value, !(0...1_000_000).contains(value) else { return }
    throw ValidationError("\(flag) takes a number from 0 to 1,000,000, not \(value)")
  }
}
