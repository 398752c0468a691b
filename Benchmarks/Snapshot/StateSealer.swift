// SPDX-License-Identifier: Apache-2.0

import Measuring
import Proscenium
import ProsceniumSQLite

/// Seals bytes as the states of sessions that take turns, with their keys at hand as scenes have
/// them.
struct StateSealer: Sendable {
  private static let sessions = 1_000

  private let store: TemporaryStore
  private let epoch: UInt32
  private let size: Int

  init(size: Int) async throws {
    store = try TemporaryStore()
    epoch = try await store.store.load { _ in }.epoch
    self.size = size
  }

  func measure() async throws -> Reading {
    let state = [UInt8](repeating: 7, count: size)
    let sessions = (0..<Self.sessions).map { SessionIdentifier(high: 1, low: UInt64($0)) }
    return try await Stopwatch(seconds: Scale.current.seconds).measure(batch: 64) { number in
      let sealed = try unsafe store.store.seal(
        state.span.bytes, of: sessions[number % Self.sessions], epoch: epoch)
      guard sealed.count > size else { throw BenchmarkFailure("a state was not sealed") }
    }
  }
}
