// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation

/// A wall clock that goes with a manual one, and can be set.
final class WallClock: Sendable {
  let clock: ManualClock
  private let offset = Guarded(0.0)

  /// The date at which a clock begins.
  static let start = Date(timeIntervalSince1970: 1_800_000_000)

  init(_ clock: ManualClock = ManualClock()) {
    self.clock = clock
  }

  var now: Date {
    let (seconds, attoseconds) = clock.now.offset.components
    return Self.start + Double(seconds) + Double(attoseconds) / 1e18 + offset.withLock { $0 }
  }

  /// Sets the wall clock forward, or back, and not the one by which tasks sleep.
  func jump(by seconds: Double) {
    offset.withLock { $0 += seconds }
  }

  /// Lets time pass, and everything happen that is due by then.
  func pass(_ seconds: Int, _ application: Application) async {
    clock.advance(by: .seconds(seconds))
    await application.settle()
  }
}

extension ApplicationSettings {
  /// Runs the application by a clock.
  mutating func use(_ wall: WallClock) {
    clock = wall.clock
    wallClock = { wall.now }
  }
}
