// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A clock on which a task that sleeps makes the time pass.
final class LeapingClock: Clock {
  struct Instant: InstantProtocol {
    let nanoseconds: Int64

    func advanced(by duration: Duration) -> Instant {
      Instant(nanoseconds: nanoseconds + Int64(duration / .nanoseconds(1)))
    }

    func duration(to other: Instant) -> Duration {
      .nanoseconds(other.nanoseconds - nanoseconds)
    }

    static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
  }

  private let time = Atomic<Int64>(0)

  var now: Instant { Instant(nanoseconds: time.load(ordering: .sequentiallyConsistent)) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    time.max(deadline.nanoseconds, ordering: .sequentiallyConsistent)
  }
}
