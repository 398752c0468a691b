// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumLoad

/// How long events of a load wait where nothing is behind their queue, and the table of it.
@Suite(.timeLimit(.minutes(10))) struct LoadWaitsTests {
  @Test func `a queue hands each event to its reader, and notes how long it took`() async throws {
    let audit = LoadAudit(clock: ContinuousClock())
    let queue = LoadQueue(count: 4, audit)
    let session = SessionIdentifier(high: 1, low: 1)
    audit.beginCounting()
    try await queue.reading {
      for number in 1...3_000 as ClosedRange<UInt32> {
        let event = LoadEvent(place: number % 7, generation: 0, number: number, time: audit.now)
        await queue.accept(event.message, for: session)
      }
      let last = LoadEvent(place: 1, generation: 0, number: 1, time: audit.now)
      await queue.finish(last.routed(as: .url))
    }
    #expect(audit.takeLatencies().count == 3_001)
  }

  @Test func `a routed event that finds its queue full is refused`() {
    let queue = LoadQueue(count: 1, LoadAudit(clock: ContinuousClock()))
    let refusals = LoadRefusals()
    let event = LoadEvent(place: 0, generation: 0, number: 1, time: 0).routed(as: .activity)
    for number in 1...1_024 {
      queue.accept(event) { refusals.note($0, number) }
      #expect(refusals.take(number) == nil)
    }
    // Nothing reads.
    queue.accept(event) { refusals.note($0, 1_025) }
    #expect(refusals.take(1_025)?.code == .systemBusy)
  }

  @Test func `shares of a rate are told next to their floors`() async throws {
    var test = Self.test(events: 400)
    test.measuresFloor = true
    var summary = try await test.run()
    #expect(summary.verdict([]) == "held")
    var waits = LoadWaits()
    waits.add(summary, at: 0.5)
    summary.add(waits)
    #expect(try #require(waits.ratio(50, at: 0.5)) > 0)
    #expect(waits.ratio(50, at: 0.2) == nil)
    let lines = summary.text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("50 %, ") })
    #expect(lines.contains { $0.hasPrefix("  in queues alone") && $0.hasSuffix("s") })
    #expect(lines.contains { $0.hasPrefix("  ratio") && $0.contains("×") })
    let rows = summary.rows.filter { $0.labels["share"] == "0.5" }
    #expect(rows.map(\.metric) == Array(repeating: "latency", count: 8))
    #expect(Set(rows.compactMap { $0.labels["scene"] }) == ["all", "floor"])
  }

  @Test func `what is broken at a share breaks the verdict`() async throws {
    let test = Self.test(events: 4)
    var broken = try await test.run()
    broken.violations = ["1 event was lost"]
    var summary = try await test.run()
    #expect(summary.verdict([]) == "held")
    var waits = LoadWaits()
    waits.add(broken, at: 0.9)
    summary.add(waits)
    #expect(summary.violations.count == 1)
    #expect(summary.verdict([]) == "violated: at 90 %: 1 event was lost")
  }

  private static func test(events: Int) -> LoadTest {
    var scenario = LoadScenario(name: "waits")
    scenario.sessions = 20
    scenario.pace = .open(LoadPace(rate: 2_000))
    scenario.warmup = 0
    scenario.end = .events(events)
    return LoadTest(scenario, in: .memory, clock: ContinuousClock(), meter: NoMeter())
  }

  private struct NoMeter: MemoryMeter {
    func memory() -> MemoryReading? { nil }

    func settleThread() {}

    func releaseUnused() {}
  }
}
