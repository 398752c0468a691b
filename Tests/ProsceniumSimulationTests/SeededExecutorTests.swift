// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct SeededExecutorTests {
  /// Counts what happens in a run with tasks, actors, streams and a clock.
  private actor Ledger {
    private(set) var lines: [String] = []

    func note(_ line: String) { lines.append(line) }
  }

  private static func play(_ clock: ManualClock) async -> [String] {
    let ledger = Ledger()
    let (numbers, source) = AsyncStream.makeStream(of: Int.self)
    await withTaskGroup { group in
      for task in 0..<5 {
        group.addTask {
          for turn in 0..<4 {
            await ledger.note("\(task).\(turn)")
            source.yield(task)
            try? await clock.sleep(for: .milliseconds(turn * task))
            await Task.yield()
          }
        }
      }
      group.addTask {
        var sum = 0
        for await number in numbers.prefix(20) {
          sum += number
          await ledger.note("sum \(sum)")
        }
      }
    }
    await ledger.note("\(clock.now.offset)")
    return await ledger.lines
  }

  @Test func `equal seeds are equal runs, and different ones differ`() throws {
    var runs: Set<[String]> = []
    for seed in UInt64(1)...20 {
      let (one, other) = (SeededExecutor(seed: seed), SeededExecutor(seed: seed))
      let lines = try one.run { await Self.play(one.clock) }
      let again = try other.run { await Self.play(other.clock) }
      #expect(lines == again, "seed \(seed)")
      #expect(one.steps == other.steps)
      #expect(lines.count == 41)
      #expect(lines.last == "0.024 seconds")
      runs.insert(lines)
    }
    #expect(runs.count == 20)
  }

  @Test func `every order of two tasks is some seed's`() throws {
    var orders: Set<[Int]> = []
    for seed in UInt64(1)...40 {
      let executor = SeededExecutor(seed: seed)
      orders.insert(
        try executor.run {
          await withTaskGroup(of: Int.self) { group in
            for number in 0..<3 { group.addTask { number } }
            return await group.reduce(into: []) { $0.append($1) }
          }
        })
    }
    #expect(orders.count == 6)
  }

  @Test func `years pass at once, and in order`() throws {
    let executor = SeededExecutor(seed: 1)
    let clock = executor.clock
    let woken = try executor.run {
      await withTaskGroup(of: Int.self) { group in
        for days in [900, 30, 365] {
          group.addTask {
            try? await clock.sleep(for: .seconds(86_400 * days))
            return days
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(woken == [30, 365, 900])
    #expect(clock.now.offset == .seconds(86_400 * 900))
  }

  @Test func `a run that nothing can go on with is stuck`() {
    let executor = SeededExecutor(seed: 1)
    let kept = Guarded<CheckedContinuation<Void, Never>?>(nil)
    let error = #expect(throws: SimulationError.self) {
      try executor.run {
        await withCheckedContinuation { continuation in kept.withLock { $0 = continuation } }
      }
    }
    #expect(error?.code == .stuck)
    // It goes on where it stood.
    kept.withLock { $0.take() }?.resume()
    let value = try? executor.run { 5 }
    #expect(value == 5)
  }

  @Test func `a run has as many steps as it may`() {
    let executor = SeededExecutor(seed: 1)
    let error = #expect(throws: SimulationError.self) {
      try executor.run(steps: 50) {
        while !Task.isCancelled { await Task.yield() }
      }
    }
    #expect(error?.code == .stepLimit)
    #expect(executor.steps == 50)
  }

  @Test func `errors of the operation are thrown`() {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try SeededExecutor(seed: 1).run { throw Failure() }
    }
  }

  @Test func `a task that another thread wakes is noticed`() {
    let executor = SeededExecutor(seed: 1)
    let error = #expect(throws: SimulationError.self) {
      try executor.run {
        // On purpose a task of the pool: it is what a run must not depend on.
        let outside = Task.detached { 1 }
        async let value = outside.value
        while !Task.isCancelled { await Task.yield() }
        _ = await value
      }
    }
    #expect(error?.code == .notAlone)
  }

  @Test func `one run is over before the next one begins`() throws {
    let executor = SeededExecutor(seed: 1)
    let code =
      try executor.run {
        do {
          try executor.run {}
          return nil
        } catch let error as SimulationError {
          return error.code
        }
      } as SimulationError.Code?
    #expect(code == .notAlone)
  }
}
