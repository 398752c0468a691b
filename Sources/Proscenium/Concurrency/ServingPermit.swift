// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// Until when an application may serve its sessions, by a clock that goes on while the machine
/// sleeps.
///
/// It is looked at once a pass: nothing of a session runs in a pass that begins later.
package final class ServingPermit: Sendable {
  private let now: @Sendable () -> Duration
  /// In nanoseconds of the clock.
  private let end = Atomic<Int64>(0)
  private let waiting = Guarded<[Sleeper]>([])

  /// Creates a permit that has not begun.
  ///
  /// - Parameter now: The time since any moment.
  package init(now: @escaping @Sendable () -> Duration) {
    self.now = now
  }

  /// Whether the application may serve now.
  package var isValid: Bool {
    let end = end.load(ordering: .acquiring)
    return end == .max || now().nanoseconds < end
  }

  /// Waits until the application may serve.
  ///
  /// - Returns: How long it may as things are, or nil if it may for good.
  func timeLeft() async -> Duration? {
    await wait()
    let end = end.load(ordering: .acquiring)
    return end == .max ? nil : max(.nanoseconds(end) - now(), .microseconds(1))
  }

  /// Lets the application serve until a moment.
  ///
  /// - Parameter moment: By the permit's clock.
  package func extend(until moment: Duration) {
    set(moment.nanoseconds)
  }

  /// Lets the application serve for good, as it must at its end.
  package func lift() {
    set(.max)
  }

  /// Lets the application serve no longer than until a moment, unless it is at its end.
  package func end(at moment: Duration) {
    waiting.withLock { _ in store(moment.nanoseconds) }
  }

  /// What was lifted stays so.
  private func store(_ nanoseconds: Int64) {
    if end.load(ordering: .relaxed) != .max { end.store(nanoseconds, ordering: .releasing) }
  }

  private func set(_ nanoseconds: Int64) {
    let sleepers = waiting.withLock { waiting in
      store(nanoseconds)
      guard isValid else { return [Sleeper]() }
      defer { waiting = [] }
      return waiting
    }
    for sleeper in sleepers { sleeper.wake() }
  }

  /// Waits until the application may serve.
  func wait() async {
    while !isValid {
      await Sleeper.sleep { sleeper in
        waiting.withLock { waiting in
          if isValid { return false }
          waiting.append(sleeper)
          return true
        }
      }
    }
  }
}
