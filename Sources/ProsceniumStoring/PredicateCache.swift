// SPDX-License-Identifier: Apache-2.0

package import ProsceniumPredicate

/// Predicates by their texts, so that a text which many sessions have is read once.
///
/// Texts that strings take for equal can be of different bytes, and stay apart.
package struct PredicateCache: Sendable {
  private struct Known: Sendable {
    let text: String
    let predicate: ContentPredicate

    func isKnown(by other: String) -> Bool {
      text.utf8.count == other.utf8.count && text.utf8.elementsEqual(other.utf8)
    }
  }

  private var predicates: [String: Known] = [:]
  private var last: Known?

  /// How many are kept; with more texts than that it does not pay.
  private static let limit = 4_096

  package init() {}

  /// The predicate of a text, or `nil` if the text is none.
  package subscript(text: String) -> ContentPredicate? {
    mutating get {
      if let last, last.isKnown(by: text) { return last.predicate }
      if let known = predicates[text], known.isKnown(by: text) {
        last = known
        return known.predicate
      }
      guard let predicate = try? ContentPredicate(format: text) else { return nil }
      let known = Known(text: text, predicate: predicate)
      last = known
      if predicates.count < Self.limit { predicates[text] = known }
      return predicate
    }
  }
}
