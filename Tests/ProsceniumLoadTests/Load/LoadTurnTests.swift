// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

/// What a load test expects of an application that loses most of its memory, or is launched again.
@Suite(.timeLimit(.minutes(10))) struct LoadTurnTests {
  /// An allocator with what a test says.
  private struct Meter: MemoryMeter {
    let read: @Sendable () -> MemoryReading

    func memory() -> MemoryReading? { read() }

    func settleThread() {}

    func releaseUnused() {}
  }

  private func run(
    _ turn: LoadScenario.Turn, _ read: @escaping @Sendable () -> Int
  ) async throws -> String {
    var scenario = LoadScenario(name: "turn")
    scenario.sessions = 100
    scenario.pace = .open(LoadPace(rate: 1_000))
    scenario.end = .events(200)
    scenario.warmup = 0
    scenario.stateSize = .fixed(turn == .squeeze ? 1 << 19 : 1_000)
    scenario.turn = turn
    scenario.shards = 4
    let meter = Meter { MemoryReading(allocated: read(), resident: read(), allocations: 1) }
    let test = LoadTest(scenario, in: .memory, clock: ContinuousClock(), meter: meter)
    return try await test.run().verdict([])
  }

  @Test func `memory of scenes that went is found when it is not given back`() async throws {
    let verdict = try await run(.squeeze) { 1 << 30 }
    #expect(verdict.hasPrefix("violated: "))
    #expect(verdict.contains("bytes of scenes that went were kept"), "\(verdict)")
  }

  @Test func `sessions that take too much when all come back are found`() async throws {
    let looks = Guarded(0)
    let verdict = try await run(.restart) {
      looks.withLock { looks in
        looks += 1
        return looks << 26
      }
    }
    #expect(verdict.hasPrefix("violated: "), "\(verdict)")
    #expect(verdict.contains("bytes over 16 KiB a session"), "\(verdict)")
  }
}
