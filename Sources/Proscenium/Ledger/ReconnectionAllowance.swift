// SPDX-License-Identifier: Apache-2.0

/// How many reconnections may begin in a second, evenly spread.
struct ReconnectionAllowance: Sendable {
  /// How early one may begin, so that not each of them needs a moment of its own.
  private static let tolerance = Duration.milliseconds(10)

  private let interval: Duration
  /// When the next one is due, if they come evenly.
  private var due = Duration.zero

  init(perSecond rate: Int) {
    interval = .seconds(1) / rate
  }

  /// How long it takes until one may begin; zero or less if it may now.
  func pause(at now: Duration) -> Duration {
    due - Self.tolerance - now
  }

  /// Lets one begin; returns whether it may.
  mutating func take(at now: Duration) -> Bool {
    guard pause(at: now) <= .zero else { return false }
    due = max(due, now) + interval
    return true
  }

  /// Takes note that one did not begin that could have.
  mutating func giveBack() {
    due -= interval
  }

  /// How long so many take.
  func time(for count: Int) -> Duration { interval * count }
}
