// SPDX-License-Identifier: Apache-2.0

/// A clock on which no time passes: a task sleeps until it is cancelled.
struct FrozenClock: Clock {
  var now: LeapingClock.Instant { LeapingClock.Instant(nanoseconds: 0) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: LeapingClock.Instant, tolerance: Duration?) async throws {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    for await _ in stream {}
    continuation.finish()
    throw CancellationError()
  }
}
