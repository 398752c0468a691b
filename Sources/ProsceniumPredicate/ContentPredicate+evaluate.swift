// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Tells whether the predicate holds for an identifier.
  ///
  /// Texts are compared literally, byte by byte: a composed and a decomposed "é" differ, and so do
  /// upper and lower case. An empty prefix begins nothing. The identifier may have any length; the
  /// evaluation takes time proportional to the texts compared and allocates nothing.
  ///
  /// - Parameter subject: The target content identifier, `SELF` in the predicate.
  /// - Returns: Whether the predicate holds.
  public func evaluate(_ subject: String) -> Bool {
    switch form {
    case .constant(let value): value
    case .node(let node): node.evaluate(subject)
    }
  }
}

extension ContentPredicate.Node {
  func evaluate(_ subject: String) -> Bool {
    switch expression {
    case .comparison(let comparison): return comparison.evaluate(subject)
    case .or(let parts):
      for index in parts.indices where parts[index].evaluate(subject) { return true }
      return false
    }
  }
}

extension Comparison {
  func evaluate(_ subject: String) -> Bool {
    let left = left.text(subject)
    let right = right.text(subject)
    return switch relation {
    case .equal: LiteralText.equal(left, right)
    case .beginsWith: LiteralText.begins(left, with: right)
    }
  }
}

extension Comparison.Operand {
  func text(_ subject: String) -> String {
    switch self {
    case .subject: subject
    case .text(let literal): literal.string
    }
  }
}
