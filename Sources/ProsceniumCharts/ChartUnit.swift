// SPDX-License-Identifier: Apache-2.0

/// What the numbers along an axis count, and how they are written.
package enum ChartUnit: Sendable, Hashable {
  /// Things, or a ratio.
  case plain
  /// Things a second.
  case perSecond
  /// Spans of time, given in seconds.
  case seconds
  /// A moment after the beginning, given in seconds.
  case moment
  /// Bytes.
  case bytes

  /// The number with its unit, in few digits: `12.5 k`, `340 µs`, `1.2 GB`, `2:05`.
  package func text(_ value: Double) -> String {
    switch self {
    case .plain: Self.scaled(value, Self.thousands, unit: "")
    case .perSecond: Self.scaled(value, Self.thousands, unit: "/s")
    case .bytes: Self.scaled(value, Self.multiples, unit: "B")
    case .seconds: Self.scaled(value, Self.spans, unit: "")
    case .moment: Self.moment(value)
    }
  }

  private typealias Scale = (least: Double, factor: Double, name: String)

  private static let thousands: [Scale] = [(1e9, 1e-9, " G"), (1e6, 1e-6, " M"), (1e3, 1e-3, " k")]
  private static let multiples: [Scale] = [
    (1e9, 1e-9, " G"), (1e6, 1e-6, " M"), (1e3, 1e-3, " k"), (0, 1, " "),
  ]
  private static let spans: [Scale] = [
    (1, 1, " s"), (1e-3, 1e3, " ms"), (1e-6, 1e6, " µs"), (0, 1e9, " ns"),
  ]

  private static func scaled(_ value: Double, _ scales: [Scale], unit: String) -> String {
    guard value.isFinite else { return "–" }
    if value == 0 { return "0" }
    // What rounds up to the next unit is written in it.
    let size = value.magnitude * 1.000_5
    guard let scale = scales.first(where: { size >= $0.least }) else {
      return digits(value) + (unit.isEmpty ? "" : " " + unit)
    }
    return digits(value * scale.factor) + scale.name + unit
  }

  /// Three digits that count, without zeros at the end.
  private static func digits(_ value: Double) -> String {
    switch value.magnitude {
    case 99.95...: decimal(value, places: 0)
    case 9.995...: decimal(value, places: 1)
    case 0.095...: decimal(value, places: 2)
    case 0.000_95...: decimal(value, places: 4)
    default: decimal(value, places: 12)
    }
  }

  /// A number with up to so many decimals; one of more digits than a whole number of the machine
  /// has is written as the largest one.
  package static func decimal(_ value: Double, places: Int) -> String {
    let power = (0..<places).reduce(1.0) { power, _ in power * 10 }
    let scaled = whole((value * power).rounded())
    let (units, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt(power))
    var decimals = String(rest)
    decimals = String(repeating: "0", count: places - min(decimals.count, places)) + decimals
    while decimals.last == "0" { decimals.removeLast() }
    let sign = scaled < 0 ? "−" : ""
    return sign + String(units) + (rest == 0 || decimals.isEmpty ? "" : "." + decimals)
  }

  private static func moment(_ seconds: Double) -> String {
    guard seconds >= 120 else { return decimal(seconds, places: 2) + " s" }
    let (minutes, rest) = whole(seconds).quotientAndRemainder(dividingBy: 60)
    return "\(minutes):\(rest < 10 ? "0" : "")\(rest)"
  }

  private static func whole(_ value: Double) -> Int {
    Int(exactly: value.rounded()) ?? (value > 0 ? .max : -.max)
  }
}
