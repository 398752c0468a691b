// SPDX-License-Identifier: Apache-2.0

/// One comparison of two operands, `SELF BEGINSWITH "a/"`.
package struct Comparison: Sendable, Hashable {
  let left: Operand
  let relation: Relation
  let right: Operand

  enum Operand: Sendable, Hashable {
    /// The identifier that is evaluated, `SELF`.
    case subject
    case text(LiteralText)
  }

  /// What the left operand is to the right one; the raw value is the canonical spelling.
  enum Relation: String, Sendable {
    case equal = "=="
    case beginsWith = "BEGINSWITH"
  }

  /// What two strings may differ in and still be the same, the letters in brackets.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Upper and lower case are the same, `[c]`.
    package static let caseInsensitive = Self(rawValue: 1)
    /// Letters with and without diacritics are the same, `[d]`.
    package static let diacriticInsensitive = Self(rawValue: 2)
  }
}
