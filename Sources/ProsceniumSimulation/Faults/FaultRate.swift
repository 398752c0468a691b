// SPDX-License-Identifier: Apache-2.0

/// Says how many times something has to happen so that it happens so many times a second.
struct FaultRate {
  /// What is made up for after a pause, so that none ends in a burst without end.
  static let longestPause = Duration.milliseconds(100)

  let perSecond: Double
  /// The time without what pauses had too much.
  private var counted = Duration.zero
  private var taken = 0

  /// Creates a rate that has taken nothing.
  init(perSecond: Double) {
    self.perSecond = perSecond
  }

  /// Takes what has become due.
  ///
  /// - Parameter pause: The time since the last call.
  /// - Returns: How many times it has to happen now.
  mutating func take(after pause: Duration) -> Int {
    guard perSecond > 0 else { return 0 }
    counted += min(max(pause, .zero), Self.longestPause)
    // From the whole time, so that fractions do not add up to an error.
    let due = Int(perSecond * (counted / .seconds(1)))
    defer { taken = max(due, taken) }
    return max(due - taken, 0)
  }
}
