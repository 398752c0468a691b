// SPDX-License-Identifier: Apache-2.0

/// Folds one stretch of a text after the other, by its scalars.
struct StretchFolding {
  private let foldsCase: Bool
  private let caseFoldings = UnicodeTables.shared.caseFoldings
  private var decomposition: CanonicalDecomposition
  private var composition = CanonicalComposition()

  init(_ options: Comparison.Options) {
    foldsCase = options.contains(.caseInsensitive)
    decomposition = CanonicalDecomposition(
      removesDiacritics: options.contains(.diacriticInsensitive))
  }

  /// Appends the folded form of a range of a text in UTF-8.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - stretch: A range of whole scalars.
  ///   - output: What is appended to.
  mutating func fold(
    _ text: Span<UInt8>, _ stretch: Range<Int>, into output: inout ContiguousArray<UInt8>
  ) {
    decomposition.removeAll()
    var index = stretch.lowerBound
    while index < stretch.upperBound {
      decomposition.append(Self.scalar(in: text, at: &index, before: stretch.upperBound))
    }
    decomposition.order()

    composition.removeAll()
    for item in decomposition.scalars {
      let folding = foldsCase ? caseFoldings[item.scalar] : []
      if folding.isEmpty {
        composition.append(item.scalar, combiningClass: item.combiningClass)
      }
      // None of these decomposes, is removed or has a class: the script of the tables makes sure.
      for scalar in folding { composition.append(scalar, combiningClass: 0) }
    }
    for scalar in composition.scalars { Self.append(scalar, to: &output) }
  }

  private static func scalar(
    in text: Span<UInt8>, at index: inout Int, before end: Int
  ) -> UInt32 {
    let lead = text[index]
    index += 1
    // As many ones as the sequence has bytes, a zero, and the first bits.
    var scalar = UInt32(lead & (0x7F >> UInt8((~lead).leadingZeroBitCount)))
    while index < end, text[index] & 0xC0 == 0x80 {
      scalar = scalar << 6 | UInt32(text[index] & 0x3F)
      index += 1
    }
    return scalar
  }

  private static func append(_ scalar: UInt32, to output: inout ContiguousArray<UInt8>) {
    func byte(_ mark: UInt8, _ shift: UInt32) -> UInt8 {
      mark | UInt8(truncatingIfNeeded: scalar >> shift) & (mark == 0x80 ? 0x3F : 0x7F)
    }
    switch scalar {
    case ..<0x80:
      output.append(byte(0, 0))
    case ..<0x800:
      output.append(byte(0xC0, 6))
      output.append(byte(0x80, 0))
    case ..<0x1_0000:
      output.append(byte(0xE0, 12))
      output.append(byte(0x80, 6))
      output.append(byte(0x80, 0))
    default:
      output.append(byte(0xF0, 18))
      output.append(byte(0x80, 12))
      output.append(byte(0x80, 6))
      output.append(byte(0x80, 0))
    }
  }
}
