// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives

@testable import ProsceniumLive

/// Keys of which each byte is the same, and dates that a test sets.
enum LiveKeys {
  static func keys(_ primary: UInt8, previous: UInt8? = nil) -> CallbackKeyProvider {
    .callback {
      try ApplicationKeys(
        primary: key(primary), previous: previous.map { key($0) })
    }
  }

  private static func key(_ byte: UInt8) -> [UInt8] {
    [UInt8](repeating: byte, count: ApplicationKeys.keySize)
  }
}

/// A date that moves when a test says so.
final class ManualDate: Sendable {
  private let seconds: Guarded<Double>

  init(_ seconds: Double = 1_000_000) {
    self.seconds = Guarded(seconds)
  }

  func advance(by count: Double) {
    seconds.withLock { $0 += count }
  }

  var wallClock: @Sendable () -> Date {
    { [self] in Date(timeIntervalSince1970: seconds.withLock { $0 }) }
  }
}
