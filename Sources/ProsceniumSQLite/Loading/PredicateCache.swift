// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// Predicates by their texts, so that a text which many sessions have is read once.
struct PredicateCache {
  private var predicates: [String: ContentPredicate] = [:]
  private var last: (text: String, predicate: ContentPredicate)?

  /// How many are kept; with more texts than that it does not pay.
  private static let limit = 4_096

  /// The predicate of a text, or `nil` if the text is none.
  subscript(text: String) -> ContentPredicate? {
    mutating get {
      if let last, last.text == text { return last.predicate }
      guard let predicate = predicates[text] ?? (try? ContentPredicate(format: text)) else {
        return nil
      }
      last = (text, predicate)
      if predicates.count < Self.limit { predicates[text] = predicate }
      return predicate
    }
  }
}
