// SPDX-License-Identifier: Apache-2.0

import MetricsTestKit
import ProsceniumSimulation
import Testing

@testable import Proscenium

/// The task that looks at callbacks while they run, in an order that a seed decides.
@Suite(.timeLimit(.minutes(10))) struct CallbackBudgetTests {
  /// A budget of a second, and the task that looks.
  private struct Lookout: Sendable {
    let executor: SeededExecutor
    let budget: CallbackBudget
    let metrics = TestMetrics()
    let log = CallLog()

    init(seed: UInt64, shards: Int = 4) {
      executor = SeededExecutor(seed: seed)
      var settings = ApplicationSettings()
      settings.clock = executor.clock
      settings.metrics = metrics
      budget = CallbackBudget(
        .seconds(1), clock: settings.clock, metrics: settings.metrics, shards: shards)
    }

    /// Plays a body next to the task that looks, which is cancelled at the end.
    func play(_ body: @escaping @Sendable () async throws -> Void) throws {
      try executor.run(steps: 10_000) { [executor, budget, log] in
        try await withThrowingTaskGroup { group in
          group.addTask {
            var looks = 0
            while await budget.waitForLook(), looks < 1_000 {
              looks += 1
              for slow in budget.takeOverdue() {
                log.append("\(executor.clock.now.offset): \(slow.session.label) \(slow.duration)")
              }
            }
            #expect(looks < 1_000)
          }
          try await body()
          group.cancelAll()
        }
      }
    }

    /// A callback that takes a time, as if it ran on a thread of its own.
    func hang(_ session: UInt64, on shard: Int, _ time: Duration) async throws -> Bool {
      #expect(budget.begin(.didReceive, of: .number(session), on: shard))
      try await executor.clock.sleep(for: time)
      return budget.end(on: shard) != nil
    }
  }

  @Test(arguments: UInt64(1)...50)
  func `a hang is seen when its budget is used up, and others return`(seed: UInt64) throws {
    let lookout = Lookout(seed: seed)
    let clock = lookout.executor.clock
    try lookout.play {
      try await clock.sleep(for: .seconds(7))
      async let first = lookout.hang(1, on: 1, .seconds(5))
      async let others: Void = {
        for _ in 0..<20 {
          let isSlow = try await lookout.hang(2, on: 2, .milliseconds(90))
          #expect(!isSlow)
        }
      }()
      try await clock.sleep(for: .milliseconds(300))
      let second = try await lookout.hang(3, on: 3, .seconds(2))
      let isFirstSlow = try await first
      try await others
      #expect(isFirstSlow)
      #expect(second)
    }
    let seen = ["8.0 seconds: S1 1.0 seconds", "8.3 seconds: S3 1.0 seconds"]
    #expect(lookout.log.lines == seen)
    let counter = try lookout.metrics.expectCounter("proscenium_slow_callbacks")
    #expect(counter.totalValue == 2)
  }

  @Test(arguments: UInt64(1)...20)
  func `no task is woken while no callback runs`(seed: UInt64) throws {
    let lookout = Lookout(seed: seed)
    let clock = lookout.executor.clock
    try lookout.play {
      try await clock.sleep(for: .seconds(3_600))
      #expect(clock.sleeperCount == 0)
      let isSlow = try await lookout.hang(1, on: 0, .milliseconds(999))
      #expect(!isSlow)
      // The look that the callback has asked for is the last one.
      try await clock.sleep(for: .seconds(1))
      let steps = lookout.executor.steps
      try await clock.sleep(for: .seconds(3_600))
      #expect(lookout.executor.steps - steps < 5)
      #expect(clock.sleeperCount == 0)
    }
    #expect(lookout.log.lines == [])
  }

  @Test(arguments: UInt64(1)...20)
  func `a hang wakes no task again and again`(seed: UInt64) throws {
    let lookout = Lookout(seed: seed)
    try lookout.play {
      async let isSlow = lookout.hang(1, on: 0, .seconds(3_600))
      try await lookout.executor.clock.sleep(for: .seconds(2))
      let steps = lookout.executor.steps
      let wasSlow = try await isSlow
      #expect(wasSlow)
      #expect(lookout.executor.steps - steps < 5)
    }
    #expect(lookout.log.lines == ["1.0 seconds: S1 1.0 seconds"])
  }

  @Test func `what is looked at ends when its task is cancelled, whatever runs`() throws {
    let lookout = Lookout(seed: 1)
    try lookout.play {
      #expect(lookout.budget.begin(.didReceive, of: .number(1), on: 0))
    }
    #expect(lookout.executor.clock.sleeperCount == 0)
  }
}
