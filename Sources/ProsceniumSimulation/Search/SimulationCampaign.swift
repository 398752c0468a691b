// SPDX-License-Identifier: Apache-2.0

package import Proscenium
import ProsceniumPrimitives

/// Many seeds, one after the other and some at a time.
package struct SimulationCampaign: Sendable {
  /// The first seed; those that follow it count up from there, round the end of 64 bits.
  package var firstSeed: UInt64
  /// How many seeds there are.
  package var seeds: Int
  /// How many steps each of them has.
  package var steps: Int
  /// Options that are not drawn.
  package var fixed: [(option: SimulationOption, value: Int)] = []
  /// Puts an object that makes mistakes before each delegate, for tests that they are found.
  package var makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegateFront)?
  /// Whether to go on after a seed that fails.
  package var keepsGoing = false
  /// How many seeds run at a time.
  package var threads = 1

  /// What a campaign came to.
  package struct Result: Sendable {
    /// How many seeds passed.
    package var passed = 0
    /// The seeds that failed, in their order.
    package var failures: [Failure] = []
    /// How many steps were taken.
    package var steps = 0
    /// What was reached.
    package var coverage = SimulationCoverage()
    /// In how many seeds each thing was reached.
    package var seeds: [SimulationCoverage.Key: Int] = [:]
  }

  /// A seed that failed.
  package struct Failure: Sendable {
    /// The world, as it was drawn.
    package var simulation: Simulation
    /// What it came to.
    package var outcome: Simulation.Outcome
  }

  /// How far a campaign has come.
  package struct Progress: Sendable {
    /// How many seeds are done.
    package var seeds = 0
    /// How many steps were taken.
    package var steps = 0
    /// How many seeds failed.
    package var failed = 0
  }

  private struct State: Sendable {
    var next = 0
    var outcomes: [Int: Simulation.Outcome] = [:]
    var progress = Progress()
    /// Seeds from here on are not needed.
    var end: Int
  }

  /// What the threads share.
  private final class Board: Sendable {
    let state: Guarded<State>

    init(seeds: Int) {
      state = Guarded(State(end: seeds))
    }
  }

  /// Makes a campaign.
  package init(firstSeed: UInt64, seeds: Int, steps: Int) {
    self.firstSeed = firstSeed
    self.seeds = seeds
    self.steps = steps
  }

  /// The world of one of the seeds.
  package func simulation(_ index: Int) -> Simulation {
    var simulation = Simulation(
      seed: firstSeed &+ UInt64(truncatingIfNeeded: index), steps: steps)
    for (option, value) in fixed { simulation.options[option] = value }
    simulation.makeFront = makeFront
    return simulation
  }

  /// Runs the seeds: all, or up to the first that fails.
  ///
  /// - Parameters:
  ///   - show: Is told of progress, by one thread at a time.
  ///   - isInterrupted: Asked between two seeds whether to stop.
  /// - Returns: What the seeds came to; always the same for the same campaign, unless interrupted.
  @concurrent
  package func run(
    show: @escaping @Sendable (Progress) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) async -> Result {
    let board = Board(seeds: seeds)
    await withTaskGroup { group in
      for _ in 0..<max(threads, 1) {
        // A seed runs on the thread that took it, from its beginning to its end.
        group.addTask {
          while let index = Self.take(board), !isInterrupted() {
            let outcome = simulation(index).run()
            let progress = finish(index, outcome, board)
            show(progress)
          }
        }
      }
    }
    return collect(board.state.withLock { $0 })
  }

  private static func take(_ board: Board) -> Int? {
    board.state.withLock { state in
      guard state.next < state.end else { return nil }
      state.next += 1
      return state.next - 1
    }
  }

  private func finish(
    _ index: Int, _ outcome: Simulation.Outcome, _ board: Board
  ) -> Progress {
    board.state.withLock { state in
      state.outcomes[index] = outcome
      state.progress.seeds += 1
      state.progress.steps += outcome.steps
      if !outcome.findings.isEmpty {
        state.progress.failed += 1
        if !keepsGoing { state.end = min(state.end, index + 1) }
      }
      return state.progress
    }
  }

  /// Joins the outcomes in the order of the seeds, without those behind the last one.
  private func collect(_ state: State) -> Result {
    var result = Result()
    for (index, outcome) in state.outcomes.sorted(by: { $0.key < $1.key }) where index < state.end {
      result.steps += outcome.steps
      result.coverage.add(outcome.coverage)
      for key in outcome.coverage.reached { result.seeds[key, default: 0] += 1 }
      if outcome.findings.isEmpty {
        result.passed += 1
      } else {
        result.failures.append(Failure(simulation: simulation(index), outcome: outcome))
      }
    }
    return result
  }
}
