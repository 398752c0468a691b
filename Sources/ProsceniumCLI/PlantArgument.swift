// SPDX-License-Identifier: Apache-2.0

#if DEBUG
  import ArgumentParser
  import Proscenium

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
