// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Opens and discards sessions at a steady rate.
final class Churn: Sendable {
  private struct Counts: Sendable {
    var created = 0
    var discarded = 0
    var seconds = 0.0
  }

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
  var discardedRate: Double { counts.withLock { Double($0.discarded) / max($0.seconds, 1e-9) } }

  /// Opens so many sessions a second, and discards each soon after.
  @concurrent
  func run(seconds: Double) async throws {
    let start = clock.now
    var created = 0
    var living: [SessionIdentifier] = []
    var elapsed = 0.0
    while elapsed < seconds {
      let due = Int(elapsed * Double(perSecond))
      while created < due {
        do throws(SceneError) {
          living.append(try await application.requestSceneSessionActivation(nil).id)
          created += 1
        } catch {
          // Refused while the store is far behind: what is due stays due.
          guard error.code == .systemBusy else { throw error }
          try await clock.sleep(for: .milliseconds(1))
        }
      }
      while living.count > 1_000 {
        try await application.requestSceneSessionDestruction(living.removeFirst())
      }
      try await clock.sleep(for: .milliseconds(2))
      elapsed = start.duration(to: clock.now) / .seconds(1)
    }
    let (left, all, time) = (living.count, created, elapsed)
    counts.withLock { $0 = Counts(created: all, discarded: all - left, seconds: time) }
    for session in living { try await application.requestSceneSessionDestruction(session) }
  }
}
