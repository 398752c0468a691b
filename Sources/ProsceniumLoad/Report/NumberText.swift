// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Writes numbers for people: grouped, rounded and with decimal prefixes.
///
/// The same on every system and in every language; a file for programs has plain numbers.
public enum NumberText: Sendable {
  private static let prefixes = ["", "k", "M", "G", "T", "P", "E"]

  /// A whole number with its digits in groups of three, such as `12,345`.
  public static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A number with so many decimals, such as `3.40`; `n/a` where it is not finite.
  ///
  /// - Parameters:
  ///   - number: The number, rounded half away from zero; below 10¹⁵ in magnitude.
  ///   - places: The number of decimals, 0–6.
  /// - Returns: The digits, with a point and a minus sign where they are due.
  public static func fixed(_ number: Double, places: Int) -> String {
    let scale = (0..<min(max(places, 0), 6)).reduce(1.0) { product, _ in product * 10 }
    let scaled = (number.magnitude * scale).rounded()
    guard scaled.isFinite, scaled < 1e18 else { return number.isFinite ? "\(number)" : "n/a" }
    let units = Int(scaled)
    let sign = number < 0 && units > 0 ? "-" : ""
    let whole = sign + String(units / Int(scale))
    if scale == 1 { return whole }
    let decimals = String(units % Int(scale))
    let zeros = String(repeating: "0", count: String(Int(scale)).count - 1 - decimals.count)
    return whole + "." + zeros + decimals
  }

  /// A size, such as `640 B` or `3.4 MB`; a kilobyte is 1,000 bytes.
  public static func bytes(_ count: Int) -> String {
    short(Double(count)) + "B"
  }

  /// A rate, such as `850 /s` or `1.2 M/s`.
  public static func rate(_ perSecond: Double) -> String {
    short(perSecond) + "/s"
  }

  /// A short span of time with its unit, such as `850 ns`, `41.2 µs`, `3.40 ms` or `2.19 s`.
  public static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: fixed(seconds * 1e9, places: 0) + " ns"
    case ..<1e-3: fixed(seconds * 1e6, places: 1) + " µs"
    case ..<1: fixed(seconds * 1e3, places: 2) + " ms"
    default: fixed(seconds, places: 2) + " s"
    }
  }

  /// A span of time as minutes and seconds, such as `0:07`, `12:40` or `3:00:00`.
  public static func clock(seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e15 else { return "-:--" }
    let total = Int(max(seconds, 0).rounded())
    let (minutes, rest) = (total / 60, total % 60)
    let tail = (rest < 10 ? "0" : "") + String(rest)
    if minutes < 60 { return "\(minutes):\(tail)" }
    return "\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60):\(tail)"
  }

  // The number with one decimal and its prefix, such as `3.4 M`; without a prefix no decimals.
  private static func short(_ number: Double) -> String {
    guard number.isFinite else { return "n/a " }
    var value = number
    var index = 0
    // 999.95 would be rounded to 1000.0.
    while value.magnitude >= (index == 0 ? 999.5 : 999.95), index < prefixes.count - 1 {
      value /= 1_000
      index += 1
    }
    return fixed(value, places: index == 0 ? 0 : 1) + " " + prefixes[index]
  }
}

extension NumberText {
  /// A moment in UTC, such as `2026-05-01 12:00:00`.
  ///
  /// - Parameter seconds: Seconds since 1970, of the years 0 to 9999; others are given as they are.
  /// - Returns: The text.
  public static func time(secondsSince1970 seconds: Int64) -> String {
    guard (-62_167_219_200...253_402_300_799).contains(seconds) else { return "\(seconds) s" }
    return CivilTime(secondsSince1970: seconds).text(separator: " ")
  }
}
