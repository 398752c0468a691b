// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumSimulation

  /// The clock of one machine: it goes a little faster or slower than that of the world.
  struct NodeClock: Clock, Sendable {
    typealias Instant = ManualClock.Instant

    let world: ManualClock
    /// By how many millionths it is faster.
    let drift: Int

    var now: Instant { Instant(offset: local(world.now.offset)) }

    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
      try await world.sleep(until: Instant(offset: global(deadline.offset)))
    }

    private func local(_ time: Duration) -> Duration {
      time + time / 1_000_000 * drift
    }

    /// The first whole microsecond of the world at which this clock has come to a time.
    private func global(_ time: Duration) -> Duration {
      var micros = microseconds(time * 1_000_000 / (1_000_000 + drift))
      while local(.microseconds(micros)) < time { micros += 1 }
      return .microseconds(micros)
    }

    private func microseconds(_ time: Duration) -> Int64 {
      let (seconds, attoseconds) = time.components
      return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
  }
#endif
