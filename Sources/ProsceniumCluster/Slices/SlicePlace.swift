// SPDX-License-Identifier: Apache-2.0

#if Cluster
  package import Proscenium

  /// Where sessions are: the first 16 bits of an identifier.
  package enum SlicePlace {
    /// The place of everything that a text names: a group, an owner, or content.
    ///
    /// It is the same in every process and in every build.
    package static func place(of kind: Kind, _ text: String) -> UInt16 {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash ^= kind.rawValue
      // Mixed, so that texts that differ at their ends alone differ in the first bits.
      hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
      hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
      return UInt16(truncatingIfNeeded: (hash ^ hash >> 31) >> 48)
    }

    /// What a text names.
    package enum Kind: UInt64 {
      case group = 0x6772_6F75_7000_0000
      case owner = 0x6F77_6E65_7200_0000
      case content = 0x636F_6E74_656E_7400
    }

    /// The place of a group, or else of an owner, or else of content; `nil` if there is none.
    package static func place(of placement: SessionPlacement) -> UInt16? {
      placement.group.map { place(of: .group, $0.rawValue) }
        ?? placement.owner.map { place(of: .owner, $0) }
        ?? placement.content.map { place(of: .content, $0) }
    }

    /// An identifier at the place of a session that is to be made, that no session has.
    package static func identifier(of placement: SessionPlacement) -> SessionIdentifier? {
      place(of: placement).map { identifier(SessionIdentifier(high: 0, low: 0), at: $0) }
    }

    /// The slice of a place.
    package static func slice(of place: UInt16, bits: Int) -> Int { Int(place) >> (16 - bits) }

    /// A version-8 identifier at a place, with the rest of another one.
    package static func identifier(
      _ identifier: SessionIdentifier, at place: UInt16
    ) -> SessionIdentifier {
      let rest = identifier.high & 0x0000_FFFF_FFFF_0FFF
      return SessionIdentifier(
        high: UInt64(place) << 48 | rest | 0x8000,
        low: identifier.low & ~(0b11 << 62) | 0b10 << 62)
    }

    /// An identifier in a slice, with the rest of another one.
    package static func identifier(
      _ identifier: SessionIdentifier, in slice: Int, bits: Int
    ) -> SessionIdentifier {
      let below = UInt16(truncatingIfNeeded: identifier.high >> 48) & (0xFFFF >> UInt16(bits))
      return self.identifier(identifier, at: UInt16(slice) << UInt16(16 - bits) | below)
    }
  }
#endif
