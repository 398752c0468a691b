// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The date on a device: it moves with the device's clock, and can be set.
final class DeviceDate: Sendable {
  private let clock: ManualClock
  /// What the date was, or would have been, when the clock was at its beginning.
  private let start = Guarded(Date(timeIntervalSince1970: 1_767_225_600))

  /// Creates the date 2026-01-01 00:00 UTC at a clock's beginning.
  init(_ clock: ManualClock) {
    self.clock = clock
  }

  var now: Date { start.withLock { $0 } + seconds }

  func set(_ date: Date) {
    start.withLock { $0 = date - seconds }
  }

  private var seconds: Double {
    let (seconds, attoseconds) = clock.now.offset.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
