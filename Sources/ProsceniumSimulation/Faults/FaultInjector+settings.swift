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
        FaultySceneDelegate(makeFront?(delegate) ?? delegate, self, self.drawDelegate())
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
