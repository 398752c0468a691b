// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Delays some of the callbacks of one delegate.
final class FaultyCallbacks: CallbackSurround {
  private let injector: FaultInjector
  private let random: Guarded<SplitMix64>

  init(_ injector: FaultInjector, _ random: SplitMix64) {
    self.injector = injector
    self.random = Guarded(random)
  }

  /// Hogs or hangs before a callback, if the plan says so.
  func begin(_ callback: Scene.Callback, _ scene: isolated Scene) -> Bool {
    let plan = injector.plan.delegates
    guard injector.isInjecting else { return false }
    let (hog, hang) = random.withLock { random in
      (plan.hogs.draw(&random), plan.hangs.draw(&random))
    }
    if let hog { pass(hog, .delegateHog, scene) }
    if let hang { pass(hang, .delegateHang, scene) }
    return false
  }

  func end(_ scene: isolated Scene) {}

  private func pass(_ time: Duration, _ kind: FaultKind, _ scene: isolated Scene) {
    guard let moment = injector.moment() else { return }
    injector.note(
      InjectedFault(kind, at: moment, session: scene.persistentIdentifier, duration: time))
    // A manual clock does not run during a callback, so the callback moves it.
    if let clock = injector.clock as? ManualClock { return clock.advance(by: time) }
    let passed = injector.clock.stopwatch()
    while injector.isInjecting, passed() < time {
      if kind == .delegateHang { usleep(1_000) }
    }
  }
}
