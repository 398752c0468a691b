// SPDX-License-Identifier: Apache-2.0

/// The right side of `LIKE`.
///
/// `*` is any run of scalars and `?` is exactly one; `\*`, `\?` and `\\` are the character after
/// the backslash, and any other backslash is itself.
package struct LikePattern: Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    /// Bytes as they are; never empty, and never next to another text.
    case text(ContiguousArray<UInt8>)
    /// Any run of scalars, also an empty one; never next to another run.
    case anyRun
    /// Exactly one scalar.
    case anyOne
  }

  package let parts: [Part]

  package init(_ pattern: Span<UInt8>) {
    self.init(resolved: Self.resolve(pattern))
  }

  /// Takes a resolved pattern apart.
  package init(resolved pattern: ContiguousArray<UInt8>) {
    var parts: [Part] = []
    var text = ContiguousArray<UInt8>()
    for byte in pattern {
      guard byte == Self.anyRun || byte == Self.anyOne else {
        text.append(byte)
        continue
      }
      if !text.isEmpty { parts.append(.text(text)) }
      text.removeAll()
      parts.append(byte == Self.anyRun ? .anyRun : .anyOne)
    }
    if !text.isEmpty { parts.append(.text(text)) }
    self.parts = parts
  }

  // MARK: - Resolved patterns

  // Neither byte occurs in UTF-8, so a resolved pattern needs no escapes.
  private static let anyRun: UInt8 = 0xFF
  private static let anyOne: UInt8 = 0xFE

  /// Returns the pattern with its escapes removed and each wildcard as a byte that no text has.
  static func resolve(_ pattern: Span<UInt8>) -> ContiguousArray<UInt8> {
    var result = ContiguousArray<UInt8>()
    result.reserveCapacity(pattern.count)
    var index = 0
    while index < pattern.count {
      var byte = pattern[index]
      index += 1
      switch byte {
      case UInt8(ascii: "*"):
        if result.last == anyRun { continue }
        byte = anyRun
      case UInt8(ascii: "?"):
        byte = anyOne
      case UInt8(ascii: "\\") where index < pattern.count && isSpecial(pattern[index]):
        byte = pattern[index]
        index += 1
      default: break
      }
      result.append(byte)
    }
    return result
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "\\")
  }

  /// Tells whether the whole of a text matches a resolved pattern.
  ///
  /// After a mismatch only the last run before it can grow: whatever an earlier one could give up,
  /// the last can take. So there are at most text · pattern steps (R-PR-3).
  static func matches(_ text: Span<UInt8>, resolved pattern: Span<UInt8>) -> Bool {
    var textIndex = 0
    var patternIndex = 0
    var retryText = 0
    var retryPattern: Int?
    while true {
      if patternIndex == pattern.count {
        if textIndex == text.count { return true }
      } else if pattern[patternIndex] == anyRun {
        patternIndex += 1
        if let isMatch = matchesSuffix(text, textIndex, pattern, patternIndex) { return isMatch }
        retryPattern = patternIndex
        retryText = textIndex
        continue
      } else if textIndex == text.count {
        // Not even the longest rest of the text was long enough; a later start has a shorter one.
        return false
      } else if pattern[patternIndex] == anyOne {
        textIndex = endOfScalar(text, textIndex)
        patternIndex += 1
        skipMatchingWords(text, &textIndex, pattern, &patternIndex)
        continue
      } else if pattern[patternIndex] == text[textIndex] {
        textIndex += 1
        patternIndex += 1
        skipMatchingWords(text, &textIndex, pattern, &patternIndex)
        continue
      }
      guard let restart = retryPattern else { return false }
      retryText = endOfScalar(text, retryText)
      if pattern[restart] != anyOne {
        while retryText < text.count, text[retryText] != pattern[restart] { retryText += 1 }
      }
      textIndex = retryText
      patternIndex = restart
    }
  }

  /// Moves over what matches byte by byte, eight bytes at a time.
  ///
  /// In such a word each byte of the text equals the pattern's, or is ASCII where the pattern has
  /// any one scalar. The byte of a run equals none, so nothing is skipped beyond it.
  private static func skipMatchingWords(
    _ text: Span<UInt8>, _ textIndex: inout Int, _ pattern: Span<UInt8>, _ patternIndex: inout Int
  ) {
    let highBits: UInt64 = 0x8080_8080_8080_8080
    while text.count - textIndex >= 8, pattern.count - patternIndex >= 8 {
      let textWord = ByteText.word(text, textIndex)
      let patternWord = ByteText.word(pattern, patternIndex)
      // A byte of these is zero where the pattern has `anyOne`; the sum carries into no neighbour.
      let others = patternWord ^ 0xFEFE_FEFE_FEFE_FEFE
      let nonzero = (others & ~highBits) &+ ~highBits | others
      let wildcards = ((~nonzero & highBits) >> 7) &* 0xFF
      let mismatch = (textWord ^ patternWord) & ~wildcards | wildcards & textWord & highBits
      let byteCount = mismatch.trailingZeroBitCount / 8
      textIndex += byteCount
      patternIndex += byteCount
      if byteCount < 8 { return }
    }
  }

  /// Tells whether a text ends with the rest of a pattern behind a run; nil if that has wildcards.
  private static func matchesSuffix(
    _ text: Span<UInt8>, _ textIndex: Int, _ pattern: Span<UInt8>, _ patternIndex: Int
  ) -> Bool? {
    var end = patternIndex
    while end < pattern.count {
      if pattern[end] >= anyOne { return nil }
      end += 1
    }
    let byteCount = end - patternIndex
    let start = text.count - byteCount
    return start >= textIndex
      && ByteText.commonByteCount(text, start, pattern, patternIndex, limit: byteCount)
        == byteCount
  }

  private static func endOfScalar(_ text: Span<UInt8>, _ start: Int) -> Int {
    var index = start + 1
    while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }
}
