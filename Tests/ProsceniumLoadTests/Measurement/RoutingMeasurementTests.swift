// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
import ProsceniumPredicate
import Testing

@testable import ProsceniumLoad

@Suite(.timeLimit(.minutes(10))) struct RoutingMeasurementTests {
  private struct Counter: MemoryMeter {
    func memory() -> MemoryReading? { MemoryReading(allocated: 0, resident: 0, allocations: 0) }

    func settleThread() {}

    func releaseUnused() {}
  }

  @Test func `every workload runs and every decision is right`() async throws {
    let reported = Guarded<[RoutingResult]>([])
    var measurement = RoutingMeasurement(clock: ContinuousClock(), meter: Counter()) { results in
      reported.withLock { $0 += results }
    }
    measurement.sessions = [10, 60]
    measurement.seconds = 0.001
    measurement.lookups = 100
    measurement.batch = 16
    let report = try await measurement.run()

    #expect(report.wrong == 0)
    let pairs: [(RoutingResult.Way, Int)] = [
      (.router, 1), (.router, 2), (.routerBatched, 1), (.routerBatched, 2), (.floor, 1),
      (.floor, 2), (.floorPrefetching, 1), (.floorPrefetching, 2), (.scan, 1),
    ]
    var expected = Set<String>()
    for sessions in [10, 60] {
      for (way, threads) in pairs {
        for mix in RoutingMix.allCases {
          expected.insert("\(mix.title) \(sessions) \(way) \(threads)")
        }
      }
      for name in ["the one match", "no match"] {
        expected.insert("defaults, \(name) \(sessions) router 1")
        expected.insert("defaults, \(name) \(sessions) routerBatched 1")
      }
      expected.insert("exact, 5 % changes \(sessions) routerChanging 2")
      for way in ["application", "applicationBatched", "floor", "floorPrefetching"] {
        expected.insert("exact, through an application \(sessions) \(way) 1")
      }
    }
    let found = report.decisions.map { "\($0.workload) \($0.sessions) \($0.way) \($0.threads)" }
    #expect(Set(found) == expected)
    #expect(found.count == expected.count)
    #expect(
      report.decisions.allSatisfy { $0.measurement.operations > 0 && $0.processorNanoseconds > 0 })
    #expect(reported.withLock { $0.count } == found.count)

    #expect(report.latencies.map(\.writer) == [.absent, .idle, .changing])
    #expect(report.latencies.allSatisfy { $0.times.count > 0 && $0.seconds > 0 })
    #expect(report.latencies.map { $0.changes > 0 } == [false, false, true])
    #expect(report.growth.count == (RoutingMix.allCases.count + 1) * 2)
    #expect(report.growth.allSatisfy { $0.sessions == (10, 60) && $0.quotient > 0 })
    #expect(report.memory.count == 3)
  }

  @Test func `a router that knows other conditions is noticed`() throws {
    let workload = try RoutingWorkload(.mixed, sessions: 40, lookups: 40, seed: 1)
    let other = try RoutingWorkload(.mixed, sessions: 40, lookups: 40, seed: 2).makeRouter()
    for contender in [
      RoutingContender.router(other, workload, threads: 1),
      .router(other, workload, threads: 1, batch: 8),
    ] {
      #expect(try contender.countWrong(0..<40, 0) == 40)
    }
    let right = RoutingContender.router(workload.makeRouter(), workload, threads: 1)
    #expect(try right.countWrong(0..<40, 0) == 0)
  }

  @Test func `a change that was not made is noticed`() throws {
    let workload = try RoutingWorkload(.exact, sessions: 20, lookups: 1, seed: 1)
    var list = try RoutingChanges(workload, seed: 1).lists[0]
    let router = workload.makeRouter()
    for _ in 0..<13 {
      #expect(try list.countWrong(router) == 0)
      list.changeNext(router)
    }
    #expect(try list.countWrong(router) == 0)
    list.changeNext(workload.makeRouter())
    #expect(try list.countWrong(router) == 2)
  }

  @Test func `growth is that of the way divided by that of the floor`() {
    let results = [
      result(.router, 10_000, 5e6), result(.floor, 10_000, 20e6), result(.router, 100, 1e6),
      result(.router, 1_000_000, 1e6), result(.floor, 1_000_000, 10e6),
      result(.scan, 1_000_000, 1), result(.scan, 10_000, 1),
    ]
    let growth = RoutingGrowth.all(of: results)
    #expect(growth.count == 1)
    #expect(growth.first?.factor == 5)
    #expect(growth.first?.floorFactor == 2)
    #expect(growth.first?.quotient == 2.5)
    #expect(RoutingGrowth.all(of: []).isEmpty)
  }

  @Test func `threads of its own run at the same time`() throws {
    // Each waits for all others: with fewer threads than calls this would never end.
    let arrived = Guarded(0)
    let results = try OwnThreads.run(5) { thread in
      arrived.withLock { $0 += 1 }
      while arrived.withLock({ $0 }) < 5 {}
      return thread * 10
    }
    #expect(results == [0, 10, 20, 30, 40])
  }

  private func result(
    _ way: RoutingResult.Way, _ sessions: Int, _ rate: Double
  ) -> RoutingResult {
    RoutingResult(
      workload: "exact", sessions: sessions, way: way, threads: 1,
      measurement: Measurement(
        name: "exact", operations: 1, seconds: 1 / rate, processors: 1, allocations: nil),
      wrong: 0)
  }
}
