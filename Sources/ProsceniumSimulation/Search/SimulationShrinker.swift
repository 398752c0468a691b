// SPDX-License-Identifier: Apache-2.0

/// Makes a failing world smaller while it goes on failing: fewer steps, and less that happens.
package struct SimulationShrinker {
  /// The smallest failing world so far.
  package private(set) var simulation: Simulation

  /// What it came to.
  package private(set) var outcome: Simulation.Outcome

  /// How many worlds were tried.
  package private(set) var trials = 0

  private let limit: Int

  /// Makes a shrinker for a world that fails.
  ///
  /// - Parameters:
  ///   - failure: The world, and what it came to.
  ///   - limit: How many worlds are tried at most.
  package init(_ failure: SimulationCampaign.Failure, limit: Int = 300) {
    simulation = failure.simulation
    outcome = failure.outcome
    self.limit = limit
  }

  /// Looks for a smaller world that fails, until none is found.
  ///
  /// - Parameter isInterrupted: Asked between two worlds whether to stop.
  package mutating func shrink(isInterrupted: () -> Bool = { false }) {
    var isSmaller = true
    while isSmaller, trials < limit, !isInterrupted() {
      isSmaller = shortenBySteps(isInterrupted)
      for option in SimulationOption.allCases where !isInterrupted() {
        if makePlain(option) { isSmaller = true }
      }
    }
  }

  /// Looks for the shortest prefix by bisection.
  private mutating func shortenBySteps(_ isInterrupted: () -> Bool) -> Bool {
    var isSmaller = false
    var low = 0
    while simulation.steps - low > 1, trials < limit, !isInterrupted() {
      var candidate = simulation
      candidate.steps = low + (simulation.steps - low) / 2
      if fails(candidate) {
        isSmaller = true
      } else {
        low = candidate.steps
      }
    }
    return isSmaller
  }

  /// Sets an option to the value with which the least happens, or to one between.
  private mutating func makePlain(_ option: SimulationOption) -> Bool {
    let value = simulation.options[option]
    let plain = option.plain
    guard value != plain else { return false }
    for candidate in [plain, plain + (value - plain) / 2] where candidate != value {
      var smaller = simulation
      smaller.options[option] = candidate
      if fails(smaller) { return true }
    }
    return false
  }

  private mutating func fails(_ candidate: Simulation) -> Bool {
    guard trials < limit else { return false }
    trials += 1
    let result = candidate.run()
    // The same thing has to be wrong: a smaller world may well find something else.
    guard result.kind == outcome.kind, result.kind != nil else { return false }
    simulation = candidate
    outcome = result
    return true
  }
}
