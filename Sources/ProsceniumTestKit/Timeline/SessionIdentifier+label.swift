// SPDX-License-Identifier: Apache-2.0

public import Proscenium

extension SessionIdentifier {
  /// The identifier that a counted source makes with a number, for sessions that a test invents.
  ///
  /// - Parameter number: The number; of a larger one the lower 48 bits count.
  /// - Returns: For 1, `00000000-0000-4000-8000-000000000001`.
  public static func number(_ number: UInt64) -> SessionIdentifier {
    SessionIdentifier(high: 0x4000, low: 0x8000_0000_0000_0000 | number & 0xFFFF_FFFF_FFFF)
  }

  /// The number of a counted identifier; nil for any other.
  public var number: UInt64? {
    UInt64(description.suffix(12), radix: 16).flatMap { self == .number($0) ? $0 : nil }
  }

  /// The short name in timelines: `S7` for the counted identifier with the number 7, and `S` with
  /// the whole text for any other.
  public var label: String {
    number.map { "S\($0)" } ?? "S\(self)"
  }
}
