// SPDX-License-Identifier: Apache-2.0

/// What a comparison with options does to both its sides before it compares them.
///
/// A text is decomposed canonically (NFD); with `[d]` U+0300 to U+036F are removed; with `[c]` the
/// rest is folded by Unicode's full case folding; then it is composed canonically (NFC). All of it
/// comes from the tables of one Unicode version, whatever the system's is.
package enum TextFolding {
  /// Folds a text as the options say.
  ///
  /// The time is linear in the text's length, but for marks out of order behind one letter, which
  /// are sorted.
  ///
  /// - Parameters:
  ///   - text: Well-formed UTF-8.
  ///   - options: What is folded; without any the text stays as it is.
  /// - Returns: The folded text in UTF-8.
  package static func fold(
    _ text: Span<UInt8>, _ options: Comparison.Options
  ) -> ContiguousArray<UInt8> {
    // Most texts are ASCII and done after this pass, which the compiler turns into vector code.
    let caseBit: UInt8 = options.contains(.caseInsensitive) ? 0x20 : 0
    var folded = ContiguousArray<UInt8>(repeating: 0, count: text.count)
    var union: UInt8 = 0
    for index in text.indices {
      let byte = text[index]
      union |= byte
      folded[index] = foldASCII(byte, caseBit)
    }
    if union < 0x80 || options.isEmpty { return folded }

    folded.removeAll(keepingCapacity: true)
    var stretches = StretchFolding(options)
    var end = 0
    while end < text.count {
      // A stretch is at most one ASCII scalar and what is not ASCII behind it: no ASCII scalar
      // decomposes, changes places or is composed with its predecessor.
      let start = end
      repeat { end += 1 } while end < text.count && text[end] >= 0x80
      if end == start + 1 {
        folded.append(foldASCII(text[start], caseBit))
      } else {
        stretches.fold(text, start..<end, into: &folded)
      }
    }
    return folded
  }

  private static func foldASCII(_ byte: UInt8, _ caseBit: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | caseBit : byte
  }
}

/// Folds one stretch of a text after the other, by its scalars.
private struct StretchFolding {
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
      guard foldsCase, let folding = caseFoldings[item.scalar] else {
        composition.append(item.scalar, combiningClass: item.combiningClass)
        continue
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
    guard let scalar = Unicode.Scalar(scalar) else { return }
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}

/// The folded forms of one subject, each computed at most once however many comparisons ask.
package struct FoldedSubject {
  private var byCase: ContiguousArray<UInt8>?
  private var byDiacritics: ContiguousArray<UInt8>?
  private var byBoth: ContiguousArray<UInt8>?

  package init() {}

  /// Returns the folded form of the subject, which must be the same one at each call.
  package mutating func bytes(
    _ options: Comparison.Options, of subject: Span<UInt8>
  ) -> ContiguousArray<UInt8> {
    switch options {
    case .caseInsensitive: Self.form(&byCase, options, subject)
    case .diacriticInsensitive: Self.form(&byDiacritics, options, subject)
    default: Self.form(&byBoth, options, subject)
    }
  }

  private static func form(
    _ known: inout ContiguousArray<UInt8>?, _ options: Comparison.Options, _ subject: Span<UInt8>
  ) -> ContiguousArray<UInt8> {
    if let known { return known }
    let form = TextFolding.fold(subject, options)
    known = form
    return form
  }
}
