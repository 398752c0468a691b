// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// What bounds the cost of a predicate (R-PR-3).
  enum Limit {
    /// The largest length of a format in UTF-8 bytes.
    static let formatByteCount = 4_096
    /// The largest length of a canonical string in UTF-8 bytes.
    static let canonicalByteCount = 4_096
    /// The largest number of comparisons and constants.
    static let termCount = 64

    static func checkFormatByteCount(_ count: Int) throws(PredicateFormatError) {
      guard count > formatByteCount else { return }
      throw PredicateFormatError(
        .limitExceeded,
        "A predicate's format must have at most \(formatByteCount) UTF-8 bytes, and it has "
          + "\(count).")
    }

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

  /// Makes a predicate of a flat form.
  ///
  /// - Throws: `limitExceeded` if it has too many terms, or if its canonical string is too long.
  init(checking code: Span<UInt8>) throws(PredicateFormatError) {
    // Folding makes a text less than nine times as long, so what is within the other limits has
    // lengths that fit; what is not may have wrong ones, and is not read.
    if code.count > UInt16.max { try Limit.checkCanonicalByteCount(.max) }
    try Limit.checkTermCount(PredicateCode.termCount(code))
    try Limit.checkCanonicalByteCount(CanonicalWriter.canonical(code).count)
    self.init(code: code)
  }
}

extension PredicateCode {
  /// The number of comparisons and constants.
  fileprivate static func termCount(_ code: Span<UInt8>) -> Int {
    var count = 0
    var position = 0
    while position < code.count {
      switch code[position] {
      case negation: position += 1
      case conjunction, disjunction: position += headerByteCount
      default:
        count += 1
        position = end(code, ofNodeAt: position)
      }
    }
    return count
  }
}
