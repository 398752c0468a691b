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
