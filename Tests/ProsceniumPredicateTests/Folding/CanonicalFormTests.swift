// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import ProsceniumPredicate
import Testing

@Suite struct CanonicalFormTests {
  @Test func `every scalar takes the forms that it has in Foundation`() {
    for block in ScalarSample.foundationBlocks {
      // Nothing is composed with a slash.
      let text = block.map { "/\($0)" }.joined()
      #expect(text.decomposed == text.decomposedInFoundation.scalars)
      #expect(text.composed == text.composedInFoundation.scalars)
    }
  }

  @Test func `random texts take the forms that they have in Foundation`() {
    let seed: UInt64 = 1
    for text in ScalarSample.texts(count: 5_000, seed: seed) {
      let decomposed = text.decomposedInFoundation.scalars
      let composed = text.composedInFoundation.scalars
      let comment: Comment = "seed \(seed): \(text.scalars)"
      #expect(text.decomposed == decomposed, comment)
      #expect(text.composed == composed, comment)
    }
  }

  @Test(arguments: TextFoldingTests.all)
  func `random texts are folded as the rules say step by step`(
    options: Comparison.Options
  ) throws {
    let seed: UInt64 = 2
    for text in ScalarSample.texts(count: 3_000, seed: seed) {
      #expect(
        try text.folded(options) == Self.foldedStepByStep(text, options),
        "seed \(seed): \(text.scalars)")
    }
  }

  /// Decomposes, removes, folds, decomposes, removes and composes, with Foundation's forms.
  private static func foldedStepByStep(
    _ text: String, _ options: Comparison.Options
  ) -> [Unicode.Scalar] {
    let removed: Range<UInt32> = options.contains(.diacriticInsensitive) ? 0x300..<0x370 : 0..<0
    func decomposed(_ text: String) -> [Unicode.Scalar] {
      text.decomposedInFoundation.scalars.filter { !removed.contains($0.value) }
    }
    var scalars = decomposed(text)
    if options.contains(.caseInsensitive) {
      scalars = decomposed(String(scalars.flatMap(folding)))
    }
    return String(scalars).composedInFoundation.scalars
  }

  private static func folding(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    guard let folding = UnicodeTables.shared.caseFoldings[scalar.value] else { return [scalar] }
    return folding.compactMap(Unicode.Scalar.init)
  }
}

extension String {
  // On Linux, Foundation orders a decomposition that begins with a mark (as U+0F73 has it) only the
  // second time, and composes a syllable with a trailing consonant only from its jamos.
  fileprivate var decomposedInFoundation: String {
    decomposedStringWithCanonicalMapping.decomposedStringWithCanonicalMapping
  }

  fileprivate var composedInFoundation: String {
    decomposedInFoundation.precomposedStringWithCanonicalMapping
  }
}
