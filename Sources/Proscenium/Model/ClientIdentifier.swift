// SPDX-License-Identifier: Apache-2.0

/// What names a client for as long as it exists: 128 bits, written as 32 hexadecimal digits.
///
/// A client is at the other end of a session: a browser tab, an agent, a kiosk. It makes its
/// identifier itself, of random bits, and keeps it across reloads and lost connections: by it the
/// runtime recognises input that comes again. Two clients must never share one.
public struct ClientIdentifier: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The more significant half.
  package let high: UInt64

  /// The less significant half.
  package let low: UInt64

  /// Creates an identifier from its two halves, the more significant one first.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates an identifier from its text.
  ///
  /// - Parameter text: 32 hexadecimal digits in either case. Anything else gives `nil`.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 32, digits.allSatisfy(Self.isHexadecimal),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The identifier as 32 lower-case hexadecimal digits.
  public var description: String { Self.digits(high) + Self.digits(low) }

  /// Orders identifiers as their texts are ordered.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  private static func digits(_ half: UInt64) -> String {
    let digits = String(half, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// A sign would be taken for a part of a number.
  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
