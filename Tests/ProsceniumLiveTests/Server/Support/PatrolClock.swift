// SPDX-License-Identifier: Apache-2.0

import ProsceniumSimulation

/// A clock that a test moves second by second, each time until the server has looked what is due.
struct PatrolClock: Clock {
  typealias Instant = ManualClock.Instant

  private let manual = ManualClock()
  private let sleeps: AsyncStream<Void>
  private let sleeping: AsyncStream<Void>.Continuation

  init() {
    (sleeps, sleeping) = AsyncStream.makeStream()
  }

  var now: Instant { manual.now }
  var minimumResolution: Duration { manual.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    sleeping.yield()
    try await manual.sleep(until: deadline, tolerance: tolerance)
  }

  /// Returns once the server sleeps for the first time.
  func begin() async {
    for await _ in sleeps { return }
  }

  /// Moves the clock by some seconds; the server looks after each of them.
  func tick(_ count: Int = 1) async {
    for _ in 0..<count {
      manual.advance(by: .seconds(1))
      await begin()
    }
  }
}
