// SPDX-License-Identifier: Apache-2.0

// Counted identifiers, as ``SessionIdentifierSource/counted(from:)`` gives them.
extension SessionIdentifier {
  /// Makes the counted identifier of a number.
  package static func numbered(_ number: Int) -> SessionIdentifier {
    SessionIdentifier(
      high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(truncatingIfNeeded: number) & numberMask)
  }

  /// The number of a counted identifier.
  package var number: Int { Int(low & Self.numberMask) }

  private static let numberMask: UInt64 = 0xFFFF_FFFF_FFFF
}
