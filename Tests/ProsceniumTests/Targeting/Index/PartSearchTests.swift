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
  private static func text(letterCount: UInt8, _ random: inout SplitMix64) -> Bytes {
    let count = Int.random(in: 0...80, using: &random)
    let period = Int.random(in: 1...80, using: &random)
    var text = Bytes()
    for index in 0..<count {
      let isRepeated = index >= period && Int.random(in: 0..<40, using: &random) != 0
      text.append(
        isRepeated ? text[index - period] : UInt8.random(in: 0..<letterCount, using: &random))
    }
    return text
  }

  /// A piece of a text, of which now and then one byte is another.
  private static func part(
    of text: Bytes, letterCount: UInt8, _ random: inout SplitMix64
  ) -> Bytes {
    let start = Int.random(in: 0...text.count, using: &random)
    var part = Bytes(text[start..<Int.random(in: start...text.count, using: &random)])
    if part.isEmpty { part = [0] }
    if Bool.random(using: &random) {
      part[Int.random(in: part.indices, using: &random)] =
        UInt8.random(in: 0..<letterCount, using: &random)
    }
    return part
  }

  @Test(arguments: [1, 2, 3, 255] as [UInt8])
  func `parts are found where a comparison finds them, the first as the last`(
    letterCount: UInt8
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
    #expect((1_000..<8_000).contains(foundCount))
  }
}
