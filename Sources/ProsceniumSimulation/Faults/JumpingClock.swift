// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// A clock that goes as another one does, and jumps forward when a plan says so.
///
/// A sleep until a moment that is jumped over ends at the jump.
struct JumpingClock<Base: Clock<Duration>>: Clock {
  typealias Instant = ManualClock.Instant

  /// How long a task sleeps at most while it is not known when the next jump comes.
  private static var slice: Duration { .milliseconds(100) }

  private let base: Base
  private let start: Base.Instant
  private let injector: FaultInjector

  /// Creates a clock that begins at zero.
  init(_ base: Base, _ injector: FaultInjector) {
    self.base = base
    self.injector = injector
    start = base.now
  }

  var now: Instant {
    _ = injector.moment()
    let jump = injector.state.withLock { $0.clockJump }
    return Instant(offset: start.duration(to: base.now)).advanced(by: jump)
  }

  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    while true {
      let left = now.duration(to: deadline)
      guard left > .zero else { return }
      try await base.sleep(for: min(left, timeWithoutJump ?? left), tolerance: tolerance)
    }
  }

  /// How long there is no jump for certain; nil if none comes any more.
  private var timeWithoutJump: Duration? {
    let moment = injector.moment()
    return injector.state.withLock { state in
      state.nextClockJump.map { next in moment.map { next - $0 } ?? Self.slice }
    }
  }
}
