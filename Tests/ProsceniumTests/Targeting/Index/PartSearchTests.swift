// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// The search for many parts, against a comparison at every place.
@Suite struct PartSearchTests {
  private typealias Bytes = ContiguousArray<UInt8>

  private static func isFound(_ part: Bytes, in text: Bytes) -> Bool {
    text.indices.contains { text[$0...].starts(with: part) }
  }

  /// A text of letters in no order, or of a few that recur.
  private static func text(letterCount: Int, _ random: inout SplitMix64) -> Bytes {
    let count = random.number(below: 81)
    let period = 1 + random.number(below: 80)
    var text = Bytes()
    for index in 0..<count {
      let isRepeated = index >= period && random.number(below: 40) != 0
      text.append(isRepeated ? text[index - period] : UInt8(random.number(below: letterCount)))
    }
    return text
  }

  /// A piece of a text, of which now and then one byte is another, or to which one is added.
  private static func part(of text: Bytes, letterCount: Int, _ random: inout SplitMix64) -> Bytes {
    let start = random.number(below: text.count + 1)
    let end = start + random.number(below: text.count - start + 1)
    var part = Bytes(text[start..<end])
    if part.isEmpty || random.number(below: 4) == 0 {
      part.append(UInt8(random.number(below: letterCount)))
    }
    if random.number(below: 3) == 0 {
      part[random.number(below: part.count)] = UInt8(random.number(below: letterCount))
    }
    return part
  }

  @Test(arguments: [1, 2, 3, 256])
  func `parts are found where a comparison finds them, the first as the last`(
    letterCount: Int
  ) throws {
    var random = SplitMix64(seed: UInt64(letterCount))
    var foundCount = 0
    for _ in 0..<40 {
      let text = Self.text(letterCount: letterCount, &random)
      let suffixes = SuffixArray(text.span)
      var search = PartSearch()
      for number in 0..<200 {
        let part = Self.part(of: text, letterCount: letterCount, &random)
        let expected = Self.isFound(part, in: text)
        let isFound = suffixes.contains(part.span, in: text.span)
        try #require(isFound == expected, "\(part) in \(text)")
        let isFoundByMany = search.contains(part.span, in: text.span)
        try #require(isFoundByMany == expected, "\(part), part \(number) of \(text)")
        foundCount += expected ? 1 : 0
      }
    }
    #expect(foundCount > 1_000)
    // Of one letter only what is longer than the text is missing.
    #expect(letterCount == 1 || foundCount < 7_000)
  }
}
