// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Proscenium
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
        option.range.contains(value)
      else { return nil }
      values.append((option, value))
    }
    self.values = values
  }
}

#if DEBUG
  /// A bug that is planted in the runtime, by its name, or the wish to see all names.
  enum PlantArgument: ExpressibleByArgument, Equatable {
    case list
    case plant(PlantedFault)

    init?(argument: String) {
      if argument == "list" {
        self = .list
      } else {
        guard let fault = PlantedFault(rawValue: argument) else { return nil }
        self = .plant(fault)
      }
    }

    /// The bug, if one is named.
    var fault: PlantedFault? {
      if case .plant(let fault) = self { fault } else { nil }
    }

    /// Every bug with what it does, one a line, its name first.
    static var names: String {
      let width = PlantedFault.allCases.map(\.rawValue.count).max() ?? 0
      return PlantedFault.allCases.map { fault in
        let gap = String(repeating: " ", count: width - fault.rawValue.count + 2)
        return fault.rawValue + gap + fault.meaning + "\n"
      }.joined()
    }
  }
#endif
