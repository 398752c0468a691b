// SPDX-License-Identifier: Apache-2.0

/// One comparison of two operands, `SELF BEGINSWITH "a/"`.
package struct Comparison: Sendable, Hashable {
  package let left: Operand
  package let relation: Relation
  package let options: Options
  package let right: Operand

  package init(left: Operand, relation: Relation, options: Options = [], right: Operand) {
    self.left = left
    self.relation = relation
    self.options = options
    self.right = right
  }

  package typealias Options = ContentPredicate.Options

  package enum Operand: Sendable, Hashable {
    /// The identifier that is evaluated, `SELF`.
    case subject
    case text(LiteralText)
    /// A list of subjects and texts; lists are not nested.
    case list([Operand])
  }

  /// What the left operand is to the right one; the raw value is the canonical spelling.
  package enum Relation: String, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case isIn = "IN"
    case between = "BETWEEN"
  }
}
