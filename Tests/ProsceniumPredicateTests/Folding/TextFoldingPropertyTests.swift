// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate
import Testing

@Suite struct TextFoldingPropertyTests {
  @Test(arguments: TextFoldingTests.all)
  func `folding twice is folding once, for every scalar`(options: Comparison.Options) throws {
    for block in ScalarSample.blocks {
      // Nothing is composed with a slash.
      let text = block.map { "/\($0)" }.joined()
      let once = try text.folded(options)
      // Most blocks stay as they are, and need no second time.
      if once != text.scalars { #expect(try String(once).folded(options) == once) }
    }
  }

  @Test(arguments: TextFoldingTests.all)
  func `folding twice is folding once, for random texts`(options: Comparison.Options) throws {
    let seed: UInt64 = 3
    for text in ScalarSample.texts(count: 2_000, seed: seed) {
      let once = try text.folded(options)
      #expect(try String(once).folded(options) == once, "seed \(seed): \(text.scalars)")
    }
  }

  /// Where the standard library maps a letter to what is another letter in Unicode's view: the
  /// dotless ı, whose upper case is I.
  static let exceptions: Set<Unicode.Scalar> = ["\u{131}"]

  @Test func `the case variants of every scalar fold alike`() throws {
    var exceptions: Set<Unicode.Scalar> = []
    for scalar in ScalarSample.blocks.joined() {
      let text = String(scalar)
      let properties = scalar.properties
      let variants = [
        properties.uppercaseMapping, properties.lowercaseMapping, properties.titlecaseMapping,
      ]
      for variant in variants where !variant.unicodeScalars.elementsEqual([scalar]) {
        if try variant.folded(.caseInsensitive) != text.folded(.caseInsensitive) {
          exceptions.insert(scalar)
        }
      }
    }
    #expect(exceptions == Self.exceptions)
  }

  @Test func `folding changes what the standard library says that it changes`() throws {
    var differences: [Unicode.Scalar] = []
    for scalar in ScalarSample.blocks.joined() {
      let text = String(scalar)
      let changes = try text.folded(.caseInsensitive) != text.composed
      if changes != scalar.properties.changesWhenCaseFolded { differences.append(scalar) }
    }
    #expect(differences == [])
  }
}
