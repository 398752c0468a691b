// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A span of time as a flag's value: a whole number with `s`, `m` or `h` behind it, or seconds.
struct SpanArgument: ExpressibleByArgument, CustomStringConvertible {
  let seconds: Int64
  let description: String

  init(seconds: Int64) {
    self.seconds = seconds
    description = seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }

  init?(argument: String) {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600]
    let unit = argument.last.flatMap { units[$0] }
    guard let number = Int64(unit == nil ? argument : String(argument.dropLast())), number >= 0
    else { return nil }
    let (seconds, isOverflowing) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !isOverflowing else { return nil }
    self.seconds = seconds
    description = argument
  }
}
