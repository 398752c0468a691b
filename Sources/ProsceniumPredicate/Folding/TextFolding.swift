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
