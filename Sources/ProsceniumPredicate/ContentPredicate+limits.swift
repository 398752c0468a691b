// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// What bounds the cost of a predicate (R-PR-3).
  enum Limit {
    /// The largest length of a canonical string in UTF-8 bytes.
    static let canonicalByteCount = 4_096
    /// The largest number of comparisons and constants.
    static let termCount = 64

    static func checkCanonicalByteCount(_ count: Int) throws(PredicateFormatError) {
      guard count > canonicalByteCount else { return }
      throw PredicateFormatError(
        .limitExceeded,
        "A predicate's canonical string must have at most \(canonicalByteCount) UTF-8 bytes.")
    }

    static func checkTermCount(_ count: Int) throws(PredicateFormatError) {
      guard count > termCount else { return }
      throw PredicateFormatError(
        .limitExceeded,
        "A predicate must have at most \(termCount) comparisons and constants.")
    }
  }
}
