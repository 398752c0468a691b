// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad

extension MeasuredFigure {
  /// The value with its unit, for people.
  var text: String {
    switch unit {
    case .rate: NumberText.rate(value)
    case .bytes: NumberText.bytes(Int(value))
    case .plain: NumberText.fixed(value, places: 2)
    case .seconds:
      switch value {
      case ..<1e-6: NumberText.fixed(value * 1e9, places: 0) + " ns"
      case ..<1e-3: NumberText.fixed(value * 1e6, places: 1) + " µs"
      case ..<1: NumberText.fixed(value * 1e3, places: 2) + " ms"
      default: NumberText.fixed(value, places: 2) + " s"
      }
    }
  }
}
