// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad

extension MeasuredFigure {
  /// The value with its unit, for people.
  var text: String {
    switch unit {
    case .rate: NumberText.rate(value)
    case .bytes: NumberText.bytes(Int(value))
    case .plain: NumberText.fixed(value, places: 2)
    case .seconds: NumberText.duration(value)
    }
  }
}
