// SPDX-License-Identifier: Apache-2.0

/// A finite number as the CSV writes it: decimal digits, a point at most, no exponent.
public struct CSVNumber: Hashable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The digits, such as `-12.5`.
  public let description: String

  /// Writes a whole number.
  public init(_ value: some BinaryInteger) {
    description = String(value)
  }

  /// Writes a whole number.
  public init(integerLiteral value: Int) {
    self.init(value)
  }

  /// Writes the shortest digits that name this number exactly.
  ///
  /// - Returns: nil where the value is infinite or not a number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    let text = "\(value == 0 ? 0 : value.magnitude)"
    let parts = text.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var whole = String(mantissa[0])
    var decimals = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    if exponent > 0 {
      decimals += String(repeating: "0", count: max(0, exponent - decimals.count))
      whole += decimals.prefix(exponent)
      decimals.removeFirst(exponent)
    } else if exponent < 0 {
      let digits = String(repeating: "0", count: -exponent) + whole + decimals
      whole = String(digits.prefix(1))
      decimals = String(digits.dropFirst())
    }
    description = (value < 0 ? "-" : "") + whole + (decimals.isEmpty ? "" : "." + decimals)
  }
}
