// SPDX-License-Identifier: Apache-2.0

/// One comparison of two operands, `SELF BEGINSWITH "a/"`.
struct Comparison: Sendable, Hashable {
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
}
