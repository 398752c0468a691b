// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Tells who gives turns to connect sessions again that a caller waits for one.
final class ReconnectionBell: Sendable {
  /// How many wait: shards look at it without the gate.
  private let waiting = Atomic<Int>(0)
  private let rings = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Whether a caller waits.
  var isAwaited: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }

  /// Takes note of how many wait.
  func note(_ count: Int) {
    waiting.store(count, ordering: .sequentiallyConsistent)
  }

  /// Rings; turns can be given once time has passed.
  func ring() {
    rings.continuation.yield()
  }

  /// The rings, for the one task that serves.
  var stream: AsyncStream<Void> { rings.stream }
}
