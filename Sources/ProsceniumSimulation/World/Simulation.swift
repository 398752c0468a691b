// SPDX-License-Identifier: Apache-2.0

package import Proscenium
import ProsceniumPrimitives

/// One seed: a whole world, with an application that lives several lives on one disk.
///
/// Application, scenes, shards, writer, store, clients and system take turns on one thread, in an
/// order that the seed decides; a step is what one of them does until it waits. After each step the
/// bounds are looked at, and everything that was seen during it has been held against the model.
package struct Simulation: Sendable {
  /// What decides everything.
  package let seed: UInt64

  /// What the world is like.
  package var options: SimulationOptions

  /// After how many steps the world comes to its end.
  package var steps: Int

  /// Puts an object that makes mistakes before each delegate, for tests that they are found.
  package var makeFront: (@Sendable (any SceneDelegate) -> any SceneDelegateFront)?

  /// What a world came to.
  package struct Outcome: Sendable, Equatable {
    /// What must not be; empty if everything is as it should.
    package var findings: [String] = []
    /// What was reached.
    package var coverage = SimulationCoverage()
    /// How many steps were taken, until everything had come to its end.
    package var steps = 0

    /// What kind of thing is wrong: the first finding without its numbers; nil if nothing is.
    var kind: String? {
      findings.first.map { String($0.filter { !$0.isNumber && $0 != "-" }) }
    }
  }

  /// The options that were drawn from the seed.
  package var drawnOptions: SimulationOptions { Simulation(seed: seed, steps: steps).options }

  /// Makes a world whose options are drawn from the seed.
  ///
  /// - Parameters:
  ///   - seed: What decides everything.
  ///   - steps: After how many steps the world comes to its end.
  package init(seed: UInt64, steps: Int) {
    self.seed = seed
    self.steps = steps
    var random = SplitMix64(seed: seed, stream: 1)
    options = SimulationOptions(drawing: &random)
  }

  /// Runs the world on the caller's thread.
  ///
  /// - Parameter trace: Takes down what happens, if anybody wants to read it.
  /// - Returns: What it came to.
  package func run(tracing trace: SimulationTrace? = nil) -> Outcome {
    let executor = SeededExecutor(seed: seed)
    let world = SimulatedWorld(
      seed: seed, options, executor, makeFront: makeFront, trace: trace)
    let stage = SimulatedStage(world, steps: steps)
    var outcome = Outcome()
    do {
      // The end of a world takes as long as what is under way by then.
      try executor.run(steps: steps * 2 + 100_000, afterEach: { stage.look(after: $0) }) {
        await stage.play()
      }
    } catch {
      world.tell { $0.find("\(error)") }
    }
    outcome.findings = world.tell(\.findings)
    outcome.coverage = world.tell(\.coverage)
    outcome.steps = executor.steps
    return outcome
  }
}

/// What happened in a simulated world, line by line.
package final class SimulationTrace: Sendable {
  private let storage = Guarded<[String]>([])

  /// Makes an empty trace.
  package init() {}

  /// The lines: the step, the time by the simulated clock, and what happened.
  package var lines: [String] { storage.withLock { $0 } }

  /// Adds a line.
  func add(_ line: String) {
    storage.withLock { $0.append(line) }
  }
}
