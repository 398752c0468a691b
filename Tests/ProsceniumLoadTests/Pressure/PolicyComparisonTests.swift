// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct PolicyComparisonTests {
  private static let workload = {
    var workload = PolicyWorkload()
    workload.sessions = 10_000
    workload.events = 150_000
    workload.scanLength = 2_000
    return workload
  }()

  @Test(arguments: [0.8, 0.99])
  func `scans cost the least recently used order more than S3-FIFO`(exponent: Double) {
    var workload = Self.workload
    workload.exponent = exponent
    workload.scanPercent = 30
    let trace = workload.trace()
    let hits = { (orders: DisconnectionPolicy.Order) in
      Double(trace.hits(of: orders, scenes: 500)) * 100 / Double(trace.events.count)
    }
    // The margin in points of the hit rate.
    #expect(hits(.smallFirst) > hits(.leastRecentlyUsed) + 5)
  }

  @Test func `where sessions come, live for a while and end, the last are kept by either order`() {
    var random = SplitMix64(seed: 3)
    var trace = PolicyTrace()
    // A hundred sessions at a time, each with twenty events on the average.
    var living = (0..<100).map { UInt32($0) }
    for session in living { trace.append(session) }
    for _ in 0..<200_000 {
      let place = random.number(below: living.count)
      trace.append(living[place])
      if random.happens(perThousand: 50) {
        living[place] = UInt32(trace.sessionCount)
        trace.append(living[place])
      }
    }
    let hits = { (orders: DisconnectionPolicy.Order) in
      Double(trace.hits(of: orders, scenes: 300)) * 100 / Double(trace.events.count)
    }
    #expect(hits(.leastRecentlyUsed) > 94)
    #expect(hits(.smallFirst) > hits(.leastRecentlyUsed) - 4)
  }

  @Test func `equal workloads are equal traces`() {
    let trace = Self.workload.trace()
    #expect(trace.events == Self.workload.trace().events)
    #expect(trace.events.count == 150_000)
    #expect(Set(trace.events).count == trace.sessionCount)
    var other = Self.workload
    other.seed = 2
    #expect(trace.events != other.trace().events)
  }

  @Test func `scans are rows of sessions with one event`() {
    var workload = Self.workload
    workload.scanPercent = 25
    let trace = workload.trace()
    var counts: [UInt32: Int] = [:]
    for session in trace.events { counts[session, default: 0] += 1 }
    let scanned = trace.events[6_000..<8_000]
    #expect(scanned.allSatisfy { counts[$0] == 1 })
    #expect(Array(scanned) == (0..<2_000).map { scanned[6_000] + $0 })
    #expect(!trace.events[..<6_000].allSatisfy { counts[$0] == 1 })
  }

  @Test func `the best policy is the nearest to the optimum`() throws {
    var workload = Self.workload
    workload.events = 20_000
    let trace = workload.trace()
    var runs: [Int] = []
    let comparison = PolicyComparison(trace, sizes: [50, 500]) { done, total in
      runs.append(done)
      #expect(total == 3 * 2)
    }
    #expect(runs == Array(1...6))
    let best = try #require(comparison.best)
    for row in comparison.rows {
      #expect(comparison.distance(row) >= comparison.distance(best))
      #expect(comparison.distance(row) >= 0)
    }
    #expect(comparison.description.hasSuffix("points below the optimum on average\n"))
    #expect(comparison.description.contains("best: \(best.name), "))
    #expect(comparison.csvRows(name: "x").count == 3 + 3 * 2 * 3)
  }
}
