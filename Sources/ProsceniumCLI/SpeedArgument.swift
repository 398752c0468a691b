// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProsceniumLoad

/// The value of `--speed`: `max`, or how many times faster than in the log time passes.
struct SpeedArgument: ExpressibleByArgument, CustomStringConvertible {
  let speed: ReplaySettings.Speed

  init?(argument: String) {
    if argument == "max" {
      speed = .max
    } else if let factor = Double(argument), factor.isFinite, factor > 0 {
      speed = .times(factor)
    } else {
      return nil
    }
  }

  init(_ speed: ReplaySettings.Speed) {
    self.speed = speed
  }

  var description: String {
    switch speed {
    case .max: "max"
    case .times(let factor): "\(factor)"
    }
  }
}
