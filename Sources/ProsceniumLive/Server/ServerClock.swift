// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The time by which connections end, and the date by which tokens do.
struct ServerClock: Sendable {
  let elapsed: @Sendable () -> Duration
  private let wallClock: @Sendable () -> UInt64

  init(_ settings: LiveSettings, _ tokens: LiveTokens) {
    elapsed = settings.clock.stopwatch()
    wallClock = { tokens.now }
  }

  /// Whole seconds since the server began.
  var seconds: Int { seconds(of: elapsed()) }

  /// Seconds since 1970.
  var date: UInt64 { wallClock() }

  func seconds(of time: Duration) -> Int { Int(time.components.seconds) }
}
