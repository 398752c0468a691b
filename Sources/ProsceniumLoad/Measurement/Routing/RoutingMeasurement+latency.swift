// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// Single decisions beside a writer.
extension RoutingMeasurement {
  private struct Outcome: Sendable {
    var times = LatencyHistogram()
    var wrong = 0
    var changes: RoutingChangeList?
  }

  /// Times each decision of two threads while a third one changes conditions, while it only uses a
  /// processor, and without it.
  ///
  /// On two processors three threads displace one another, and a reader that is displaced has a
  /// long decision. The second case has the same of that, and no changes: what the third case has
  /// more comes from the router.
  func measureLatencies(_ count: Int) throws -> [RoutingLatency] {
    let workload = try RoutingWorkload(.exact, sessions: count, lookups: lookups, seed: seed)
    var changes = try RoutingChanges(workload, seed: seed).lists[0]
    let prepared = try RoutingChanges(workload, seed: seed)
    let router = workload.makeRouter()
    var results = RoutingLatency.Writer.allCases.map { RoutingLatency($0, sessions: count) }
    for round in 0..<rounds {
      for index in results.indices {
        let writer = results[index].writer
        let start = clock.now
        // Longer than a decision's timing, because the rare ones count here.
        let end = start.advanced(by: .seconds(seconds * 5))
        let before = changes.count
        let outcomes = try OwnThreads.run(writer == .absent ? 2 : 3) { [changes] thread in
          switch thread {
          case 0, 1: read(router, prepared, (round * 2 + thread) * count / 7, until: end)
          default: write(router, writer == .changing ? changes : nil, until: end)
          }
        }
        results[index].seconds += start.duration(to: clock.now) / .seconds(1)
        for outcome in outcomes {
          results[index].times.add(outcome.times)
          results[index].wrong += outcome.wrong
          if let done = outcome.changes { changes = done }
        }
        results[index].changes += changes.count - before
      }
    }
    results[results.count - 1].wrong += try changes.countWrong(router)
    return results
  }

  private func read(
    _ router: ContentRouter, _ changes: RoutingChanges, _ first: Int,
    until end: ContinuousClock.Instant
  ) -> Outcome {
    let lookups = changes.workload.lookups
    var outcome = Outcome()
    var position = first % lookups.count
    var before = clock.now
    // Once at least, however late the thread is.
    repeat {
      let choice = try? router.choose(lookups[position])
      let after = clock.now
      outcome.times.record(before.duration(to: after))
      if choice.map({ changes.isRight($0, position) }) != true { outcome.wrong += 1 }
      position = position + 1 == lookups.count ? 0 : position + 1
      before = after
    } while before < end
    return outcome
  }

  private func write(
    _ router: ContentRouter, _ changes: RoutingChangeList?, until end: ContinuousClock.Instant
  ) -> Outcome {
    var outcome = Outcome(changes: changes)
    repeat {
      for _ in 0..<16 { outcome.changes?.changeNext(router) }
    } while clock.now < end
    return outcome
  }

  /// What a reading of the clock takes, in nanoseconds.
  func measureClock() -> Int {
    var times = LatencyHistogram()
    var before = clock.now
    for _ in 0..<100_000 {
      let after = clock.now
      times.record(before.duration(to: after))
      before = after
    }
    return times.quantile(0.5)
  }
}
