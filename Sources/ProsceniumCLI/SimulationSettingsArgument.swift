// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumSimulation

/// Options of simulated worlds with their values, written as `clients=1,lives=2`.
struct SimulationSettingsArgument: ExpressibleByArgument {
  /// The options in the order in which they were written.
  let values: [(option: SimulationOption, value: Int)]

  init?(argument: String) {
    var values: [(option: SimulationOption, value: Int)] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, let value = Int(sides[1]),
        let option = SimulationOption.allCases.first(where: { $0.name == sides[0] }),
        option.range.contains(value), !values.contains(where: { $0.option == option })
      else { return nil }
      values.append((option, value))
    }
    self.values = values
  }
}
