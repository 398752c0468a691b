// SPDX-License-Identifier: Apache-2.0

/// How many messages a client may send: so many in a second, and four times as many at once.
struct MessageRate: Sendable {
  /// How many are spent, in messages; they come back with time.
  private var spent: Double = 0
  private var last = Duration.zero

  /// Takes note of a message; returns whether it was one too many.
  mutating func isExceeded(at now: Duration, rate: Int) -> Bool {
    spent = max(spent - (now - last) / .seconds(1) * Double(rate), 0) + 1
    last = now
    return spent > Double(4 * rate)
  }
}
