// SPDX-License-Identifier: Apache-2.0

/// What must not happen in a load test, such as `p99>5ms`.
public struct LoadThreshold: Hashable, Sendable {
  /// What is compared.
  public enum Figure: Hashable, Sendable {
    /// The latency of events that so many percent do not exceed, in seconds.
    case latency(percentile: Double)
    /// The longest latency, in seconds.
    case longest
    /// The mean rate of delivered events, a second.
    case rate
    /// Errors that were reported.
    case errors
    /// The most memory that was resident, in bytes.
    case resident
  }

  /// What is compared.
  public let figure: Figure
  /// Whether the test fails if the figure is above the limit, or else below.
  public let failsAbove: Bool
  /// The limit, in seconds, bytes or things.
  public let limit: Double
  /// The threshold as it was written.
  public let text: String

  /// What a threshold is, in words, for those who wrote something else.
  package static let expected =
    "a figure (p50 to p100 or max with a time, rate, errors, or resident with bytes), '>' or '<', "
    + "and a limit, such as 'p99>5ms'"

  /// Reads a threshold: `p50` to `p100` and `max` with a time, `rate`, `errors`, or `resident` with
  /// bytes; then `>` or `<`; then a number with a unit.
  ///
  /// - Returns: nil where it is none.
  public init?(_ text: String) {
    guard let sign = text.firstIndex(where: { $0 == ">" || $0 == "<" }) else { return nil }
    let name = text[..<sign].filter { $0 != " " }
    let value = text[text.index(after: sign)...].filter { $0 != " " }
    guard let figure = Self.figure(name), let limit = Self.number(value, of: figure) else {
      return nil
    }
    self.figure = figure
    self.limit = limit
    failsAbove = text[sign] == ">"
    self.text = text
  }

  /// Whether a figure is on the wrong side of the limit.
  public func isCrossed(by value: Double) -> Bool {
    failsAbove ? value > limit : value < limit
  }

  /// Reads a number of bytes such as `500MB`; nil if it is none below 2⁴⁸.
  public static func bytes(_ text: String) -> Int? {
    guard let bytes = number(text, of: .resident), bytes < 0x1p48 else { return nil }
    return Int(bytes)
  }

  private static func figure(_ name: String) -> Figure? {
    switch name {
    case "max": return .longest
    case "rate": return .rate
    case "errors": return .errors
    case "resident": return .resident
    default:
      let digits = name.dropFirst()
      guard name.hasPrefix("p"), digits.allSatisfy({ "0123456789.".contains($0) }),
        let percentile = Double(digits), (50...100).contains(percentile)
      else { return nil }
      return .latency(percentile: percentile)
    }
  }

  private static func number(_ text: String, of figure: Figure) -> Double? {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    guard let number = Double(digits), number.isFinite else { return nil }
    return units(of: figure)[String(text.dropFirst(digits.count))].map { number * $0 }
  }

  private static func units(of figure: Figure) -> [String: Double] {
    switch figure {
    case .latency, .longest: ["s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6]
    case .rate: ["": 1, "/s": 1, "k/s": 1e3, "M/s": 1e6, "k": 1e3, "M": 1e6]
    case .errors: ["": 1]
    case .resident:
      [
        "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1_024, "MiB": 1_048_576,
        "GiB": 1_073_741_824,
      ]
    }
  }
}
