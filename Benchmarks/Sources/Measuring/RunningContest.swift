// SPDX-License-Identifier: Apache-2.0

import Benchmark
import Foundation
import Synchronization

/// A contest while its rounds are run.
final class RunningContest: Sendable {
  private struct State {
    var contenders: [Contender] = []
    var readings: [[Reading]] = []
    var round = 0
  }

  private let contest: Contest
  private let suite: String
  private let state = Mutex(State())

  init(_ contest: Contest, _ suite: String) {
    self.contest = contest
    self.suite = suite
  }

  /// Makes the contenders.
  func begin(_ prepare: @escaping @Sendable () async throws -> [Contender]) async {
    do {
      // A task of its own does not inherit the thread that runs the benchmarks.
      let contenders = try await Task { try await prepare() }.value
      state.withLock {
        $0 = State(contenders: contenders, readings: contenders.map { _ in [] })
      }
    } catch {
      fail(error)
    }
  }

  /// Measures each contender once, and blocks the calling thread until then.
  ///
  /// A task that is awaited would get the urgency of who awaits it, and what it starts as well.
  ///
  /// - Returns: The runtime's readings.
  func takeRound() -> [Reading] {
    let isOver = DispatchSemaphore(value: 0)
    // Detached, so that it has neither the urgency nor the thread of the library's task.
    Task.detached(priority: .medium) {
      await self.measureAll()
      isOver.signal()
    }
    isOver.wait()
    return state.withLock { state in
      zip(state.contenders, state.readings)
        .filter { $0.0.role == .runtime }.compactMap { $0.1.last }
    }
  }

  private func measureAll() async {
    let (contenders, round) = state.withLock { state in
      defer { state.round += 1 }
      return (state.contenders, state.round)
    }
    for turn in contenders.indices {
      let index = (turn + (contest.takesTurns ? round : 0)) % contenders.count
      do {
        let reading = try await contenders[index].measure()
        state.withLock { $0.readings[index].append(reading) }
      } catch {
        fail(error)
      }
    }
  }

  /// Writes the results, and frees what the contenders hold.
  func end() {
    let ended = state.withLock { state in
      defer { state = State() }
      return state
    }
    do {
      let results = ContestResults(contest, suite, ended.contenders, ended.readings)
      FileHandle.standardError.write(Data(results.text.utf8))
      try results.write()
    } catch {
      fail(error)
    }
  }

  private func fail(_ error: any Error) -> Never {
    BenchmarkFailure("\(suite) \(contest.name): \(error)").end()
  }
}
