// SPDX-License-Identifier: Apache-2.0

/// The canonical composition of a decomposed text (NFC), built scalar by scalar.
struct CanonicalComposition {
  private(set) var scalars: [UInt32] = []
  /// The index of the last scalar of class 0, with which later ones are composed.
  private var starter: Int?
  private var lastClass: UInt8 = 0
  private let compositions = UnicodeTables.shared.compositions

  /// Appends the next scalar of a text in canonical order, or composes it with an earlier one.
  mutating func append(_ scalar: UInt32, combiningClass: UInt8) {
    // A scalar in between prevents the composition, unless its class is smaller.
    if let starter, scalars.count == starter + 1 || lastClass < combiningClass,
      let composite = composite(scalars[starter], scalar)
    {
      scalars[starter] = composite
      return
    }
    if combiningClass == 0 { starter = scalars.count }
    lastClass = combiningClass
    scalars.append(scalar)
  }

  private func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if second < UnicodeTables.firstMark { return nil }
    return HangulSyllable(first, second)?.scalar
      ?? compositions[UnicodeTables.pair(first, second)]
  }

  /// Empties the composition and keeps its memory.
  mutating func removeAll() {
    scalars.removeAll(keepingCapacity: true)
    starter = nil
    lastClass = 0
  }
}

/// A Korean syllable, which is composed by arithmetic: a leading consonant, a vowel, and maybe a
/// trailing consonant.
struct HangulSyllable {
  let scalar: UInt32

  private static let first: UInt32 = 0xAC00
  private static let firstLeading: UInt32 = 0x1100
  private static let firstVowel: UInt32 = 0x1161
  /// The scalar before the first trailing consonant; it means that there is none.
  private static let noTrailing: UInt32 = 0x11A7
  private static let leadingCount: UInt32 = 19
  private static let vowelCount: UInt32 = 21
  private static let trailingCount: UInt32 = 28

  /// Takes a scalar for the syllable that it is, or returns nil if it is none.
  init?(_ scalar: UInt32) {
    let count = Self.leadingCount * Self.vowelCount * Self.trailingCount
    guard scalar &- Self.first < count else { return nil }
    self.scalar = scalar
  }

  /// Composes two scalars, or returns nil if they make no syllable.
  init?(_ first: UInt32, _ second: UInt32) {
    let leading = first &- Self.firstLeading
    let vowel = second &- Self.firstVowel
    let trailing = second &- Self.noTrailing
    if leading < Self.leadingCount, vowel < Self.vowelCount {
      scalar = Self.first + (leading * Self.vowelCount + vowel) * Self.trailingCount
    } else if trailing > 0, trailing < Self.trailingCount, let syllable = Self(first),
      syllable.trailing == 0
    {
      scalar = first + trailing
    } else {
      return nil
    }
  }

  private var trailing: UInt32 { (scalar - Self.first) % Self.trailingCount }

  /// The two or three scalars that the syllable is made of.
  var jamos: [UInt32] {
    let (leading, vowel) = ((scalar - Self.first) / Self.trailingCount)
      .quotientAndRemainder(dividingBy: Self.vowelCount)
    let open = [Self.firstLeading + leading, Self.firstVowel + vowel]
    return trailing == 0 ? open : open + [Self.noTrailing + trailing]
  }
}
