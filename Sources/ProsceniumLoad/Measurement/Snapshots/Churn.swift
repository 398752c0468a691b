// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// Opens and discards sessions at a steady rate, from many tasks at once: each waits for its own
/// requests, as clients do.
final class Churn: Sendable {
  private struct Counts: Sendable {
    var created = 0
    var discarded = 0
    var refused = 0
    var seconds = 0.0
  }

  /// How many tasks there are.
  private static let callers = 1_024

  private let application: Application
  private let perSecond: Int
  private let clock: ContinuousClock
  private let counts = Guarded(Counts())

  init(application: Application, perSecond: Int, clock: ContinuousClock) {
    self.application = application
    self.perSecond = perSecond
    self.clock = clock
  }

  var createdRate: Double { counts.withLock { Double($0.created) / max($0.seconds, 1e-9) } }
  /// How many requests were refused because the store was far behind.
  var refused: Int { counts.withLock { $0.refused } }
  var discardedRate: Double { counts.withLock { Double($0.discarded) / max($0.seconds, 1e-9) } }

  /// Opens so many sessions a second, and discards each soon after.
  @concurrent
  func run(seconds: Double) async throws {
    let start = clock.now
    try await withThrowingTaskGroup { group in
      for caller in 0..<Self.callers {
        // A fixed number: each makes one request after another.
        group.addTask { try await self.call(caller, from: start, seconds) }
      }
      try await group.waitForAll()
    }
    let elapsed = start.duration(to: clock.now) / .seconds(1)
    counts.withLock { $0.seconds = elapsed }
  }

  /// One caller's share: what is due stays due if it is late.
  private func call(
    _ caller: Int, from start: ContinuousClock.Instant, _ seconds: Double
  ) async throws {
    let interval = Double(Self.callers) / Double(perSecond)
    var next = interval * Double(caller) / Double(Self.callers)
    while next < seconds {
      try await clock.sleep(until: start.advanced(by: .seconds(next)))
      if start.duration(to: clock.now) / .seconds(1) >= seconds { return }
      do throws(SceneError) {
        let session = try await application.requestSceneSessionActivation(nil)
        counts.withLock { $0.created += 1 }
        try await application.requestSceneSessionDestruction(session)
        counts.withLock { $0.discarded += 1 }
      } catch {
        // Refused while the store is far behind.
        guard error.code == .systemBusy else { throw error }
        counts.withLock { $0.refused += 1 }
      }
      next += interval
    }
  }
}
