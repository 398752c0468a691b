// SPDX-License-Identifier: Apache-2.0

/// Tells how much time has passed in a log, by the stamps of its lines.
///
/// Log time goes on to the largest stamp, and never back: servers write a line when its response is
/// done. Where a stamp leaps by more than a week, on or back, it goes on from there and no time has
/// passed: a clock was wrong, for a line or for many, or another log begins.
struct LogTime: Sendable {
  /// The largest step from one stamp to the next that is time, in seconds.
  static let largestStep: UInt64 = 7 * 86_400

  /// The seconds that have passed since the first stamp.
  private(set) var seconds: Int64 = 0
  private var latest: Int64?

  /// Takes the stamp of the next line, in seconds since any moment.
  mutating func advance(to stamp: Int64) {
    let (step, isOverflowing) = stamp.subtractingReportingOverflow(latest ?? stamp)
    if isOverflowing || step.magnitude > Self.largestStep {
      latest = stamp
    } else {
      seconds += max(step, 0)
      latest = max(latest ?? stamp, stamp)
    }
  }
}
