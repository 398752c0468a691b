// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Ends a debug build when an application's events come in a wrong order (section 2.8).
final class WatchingOrder: Sendable {
  private let witness = Guarded(OrderingWitness())

  func see(_ event: LifecycleEvent) {
    let violation = witness.withLock { $0.see(event) }
    if let violation { assertionFailure(violation) }
  }
}
