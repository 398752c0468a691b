// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// The predicates that no single term decides, in parts that grow one at a time; for the writer.
final class SharedPredicates {
  private static let partCount = 64

  private var parts = ContiguousArray<[ContentPredicate: SharedPredicate]>(
    repeating: [:], count: partCount)

  /// What is known of a predicate, or nil if no session has it.
  subscript(predicate: ContentPredicate) -> SharedPredicate? {
    get { parts[Self.part(of: predicate)][predicate] }
    set { parts[Self.part(of: predicate)][predicate] = newValue }
  }

  /// Calls a function with every predicate.
  func forEach(_ body: (SharedPredicate) -> Void) {
    for part in parts {
      for shared in part.values { body(shared) }
    }
  }

  private static func part(of predicate: ContentPredicate) -> Int {
    predicate.hashValue & (partCount - 1)
  }
}
