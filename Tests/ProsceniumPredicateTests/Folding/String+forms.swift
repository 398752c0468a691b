// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumPredicate
import Testing

/// A text's forms as scalars: strings themselves would compare by canonical equivalence.
extension String {
  init(_ scalars: [Unicode.Scalar]) {
    self.init(String.UnicodeScalarView(scalars))
  }

  var scalars: [Unicode.Scalar] { Array(unicodeScalars) }

  func folded(_ options: Comparison.Options) throws -> [Unicode.Scalar] {
    let bytes = TextFolding.fold(utf8.span, options)
    return try #require(String(validating: bytes, as: UTF8.self)).scalars
  }

  var decomposed: [Unicode.Scalar] {
    decomposition.scalars.compactMap { Unicode.Scalar($0.scalar) }
  }

  var composed: [Unicode.Scalar] {
    var composition = CanonicalComposition()
    for item in decomposition.scalars {
      composition.append(item.scalar, combiningClass: item.combiningClass)
    }
    return composition.scalars.compactMap(Unicode.Scalar.init)
  }

  private var decomposition: CanonicalDecomposition {
    var decomposition = CanonicalDecomposition()
    for scalar in unicodeScalars { decomposition.append(scalar.value) }
    decomposition.order()
    return decomposition
  }
}
