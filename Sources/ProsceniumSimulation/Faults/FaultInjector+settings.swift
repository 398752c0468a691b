// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FaultInjector {
  /// Puts the faults of the plan before the clocks and the scene delegates of an application.
  ///
  /// What the plan has no fault for stays as it is. It is called once for an application, after
  /// everything else was set.
  ///
  /// - Parameter settings: The settings with which the application is going to be made.
  public func install(in settings: inout ApplicationSettings) {
    if !plan.clockJumps.isEmpty { settings.clock = jumping(settings.clock) }
    if !plan.wallClockJumps.isEmpty {
      let wallClock = settings.wallClock
      settings.wallClock = {
        _ = self.moment()
        let jump = self.state.withLock { $0.wallClockJump }
        return wallClock().addingTimeInterval(jump / .seconds(1))
      }
    }
    if plan.delegates.hogs.perThousand > 0 || plan.delegates.hangs.perThousand > 0 {
      let makeFront = settings.makeFront
      settings.makeFront = { delegate in
        SurroundedSceneDelegate(
          makeFront?(delegate) ?? delegate, FaultyCallbacks(self, self.drawDelegate()))
      }
    }
  }

  private func jumping(_ clock: some Clock<Duration>) -> any Clock<Duration> {
    JumpingClock(clock, self)
  }

  /// A generator for one more delegate.
  private func drawDelegate() -> SplitMix64 {
    let number = state.withLock { state in
      state.delegates += 1
      return state.delegates
    }
    return SplitMix64(seed: plan.seed, stream: 1_000_000 + number)
  }
}

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
