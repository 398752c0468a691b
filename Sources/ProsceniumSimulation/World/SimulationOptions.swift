// SPDX-License-Identifier: Apache-2.0

package import ProsceniumPrimitives

/// What a simulated world is like: every option with its value.
package struct SimulationOptions: Sendable, Equatable {
  private var values: [Int]

  /// The world in which the least happens.
  package static let plain = SimulationOptions(values: SimulationOption.allCases.map(\.plain))

  private init(values: [Int]) {
    self.values = values
  }

  /// Draws a world.
  package init(drawing random: inout SplitMix64) {
    values = SimulationOption.allCases.map { option in
      let values = option.values
      return values[random.number(below: values.count)]
    }
  }

  /// The value of an option.
  package subscript(option: SimulationOption) -> Int {
    get { values[option.rawValue] }
    set { values[option.rawValue] = newValue }
  }

  /// The options whose values are not the plain ones, in the order of their declaration.
  package var special: [(option: SimulationOption, value: Int)] {
    zip(SimulationOption.allCases, values).compactMap { option, value in
      value == option.plain ? nil : (option, value)
    }
  }
}

extension SimulationOptions: CustomStringConvertible {
  /// The values that are not the plain ones, as they can be set: `shards=4,clients=2`.
  package var description: String {
    special.map { "\($0.option.name)=\($0.value)" }.joined(separator: ",")
  }
}
