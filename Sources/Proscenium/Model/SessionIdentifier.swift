// SPDX-License-Identifier: Apache-2.0

/// The persistent identifier of a session: 128 bits, written as a lower-case UUID.
///
/// It is made by the application's ``SessionIdentifierSource``, constant for the session's life,
/// across launches and across backup and restore, and never reused after the session was discarded
/// (R-ID-3).
public struct SessionIdentifier: Sendable, Hashable, Comparable, LosslessStringConvertible {
  /// The more significant half.
  package let high: UInt64

  /// The less significant half.
  package let low: UInt64

  /// Creates an identifier from its two halves, the more significant one first.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates an identifier from the text of a UUID.
  ///
  /// - Parameter text: 36 characters, `8-4-4-4-12` hexadecimal digits in either case. Anything else
  ///   gives `nil`.
  public init?(_ text: String) {
    var digits: (high: UInt64, low: UInt64) = (0, 0)
    var count = 0
    var position = 0
    for byte in text.utf8 {
      defer { position += 1 }
      if position == 8 || position == 13 || position == 18 || position == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.hexadecimalValue(of: byte), count < 32 else { return nil }
      digits.high = digits.high << 4 | digits.low >> 60
      digits.low = digits.low << 4 | UInt64(digit)
      count += 1
    }
    guard position == 36, count == 32 else { return nil }
    self.init(high: digits.high, low: digits.low)
  }

  /// The slice of a store that the session is in, where so many bits of an identifier name it.
  package func slice(bits: Int) -> Int { Int(high >> UInt64(64 - bits)) }

  /// The identifier as a lower-case UUID.
  public var description: String {
    unsafe String(unsafeUninitializedCapacity: 36) { buffer in
      var position = 0
      for shift in stride(from: 124, through: 0, by: -4) {
        if position == 8 || position == 13 || position == 18 || position == 23 {
          unsafe buffer[position] = UInt8(ascii: "-")
          position += 1
        }
        let half = shift >= 64 ? high >> UInt64(shift - 64) : low >> UInt64(shift)
        unsafe buffer[position] = Self.digits[Int(half & 15)]
        position += 1
      }
      return position
    }
  }

  /// Orders identifiers as their texts are ordered.
  public static func < (left: Self, right: Self) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func hexadecimalValue(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The place of the identifier in hash tables and which shard it chooses.
  ///
  /// Identifiers come from a source of the host's own and are random as a rule; the multiplication
  /// spreads counted ones.
  package var spread: UInt64 {
    let mixed = (high ^ (low &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
    return mixed ^ mixed >> 32
  }
}

extension SessionIdentifier: Codable {
  /// Reads the identifier from the text of a UUID.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if the text is no UUID.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let identifier = SessionIdentifier(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "expected a UUID, found \(text)"))
    }
    self = identifier
  }

  /// Writes the identifier as a lower-case UUID.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
