// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct PolicyTraceTests {
  @Test func `the optimum is what trying everything finds`() {
    for seed in UInt64(1)...150 {
      var random = SplitMix64(seed: seed)
      let trace = Self.trace(&random, events: 10, sessions: 5)
      for scenes in 1...4 {
        let hits = trace.optimalHits(scenes: scenes)
        let best = Self.best(trace.events[...], [], scenes)
        #expect(hits == best, "seed \(seed), \(trace.events), \(scenes) scenes")
      }
    }
  }

  @Test(arguments: [UInt64](1...20))
  func `no order has more hits than the optimum, and enough scenes make all alike`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let trace = Self.trace(&random, events: 3_000, sessions: 100)
    for scenes in [1, 2, 10, 50, 99, 100, 200] {
      let optimum = trace.optimalHits(scenes: scenes)
      for orders in DisconnectionPolicy.Order.all {
        let hits = trace.hits(of: orders, scenes: scenes)
        #expect(hits <= optimum, "\(orders), seed \(seed), \(scenes) scenes")
        if scenes >= 100 { #expect(hits == 3_000 - trace.sessionCount) }
      }
    }
  }

  @Test func `hits are those of a cache written down simply`() {
    var random = SplitMix64(seed: 7)
    var trace = PolicyTrace()
    var recent: [UInt32] = []
    var discarded: Set<UInt32> = []
    var hits = 0
    for _ in 0..<2_000 {
      if random.happens(perThousand: 50), let gone = recent.first(where: { $0 > 30 }) {
        trace.discard(gone)
        recent.removeAll { $0 == gone }
        discarded.insert(gone)
      }
      let drawn = UInt32(random.number(below: 60))
      // Numbers are dense, and a session that was destroyed does not come back.
      let session = min(drawn, UInt32(trace.sessionCount))
      if discarded.contains(session) { continue }
      trace.append(session)
      if recent.contains(session) { hits += 1 }
      recent.removeAll { $0 == session }
      recent.append(session)
      if recent.count > 20 { recent.removeFirst() }
    }
    #expect(trace.hits(of: .leastRecentlyUsed, scenes: 20) == hits)
    #expect(trace.discards.count > 10)
  }

  @Test(arguments: [(1, [1]), (3, [1, 2]), (100, [1, 3, 10, 33, 66])])
  func `sizes are suggested by the number of sessions`(sessions: Int, sizes: [Int]) {
    var trace = PolicyTrace()
    for session in 0..<sessions { trace.append(UInt32(session)) }
    #expect(trace.suggestedSizes == sizes)
  }

  private static func trace(
    _ random: inout SplitMix64, events: Int, sessions: Int
  ) -> PolicyTrace {
    var trace = PolicyTrace()
    for _ in 0..<events {
      let most = random.number(below: sessions) + 1
      trace.append(UInt32(min(random.number(below: most), trace.sessionCount)))
    }
    return trace
  }

  /// The most hits that any choice of victims gives.
  private static func best(
    _ events: ArraySlice<UInt32>, _ connected: Set<UInt32>, _ scenes: Int
  ) -> Int {
    guard let session = events.first else { return 0 }
    let hit = connected.contains(session) ? 1 : 0
    let after = connected.union([session])
    if after.count <= scenes { return hit + best(events.dropFirst(), after, scenes) }
    return hit
      + (after.map { best(events.dropFirst(), after.subtracting([$0]), scenes) }.max() ?? 0)
  }
}
