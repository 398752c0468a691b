// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// Stands in for the parser: constants, `==` and `BEGINSWITH` joined by `OR`, no escapes.
  public init(format: String, arguments: [any Sendable]) throws(PredicateFormatError) {
    var arguments = arguments[...]
    var parts: [ContentPredicate] = []
    let words = format.split(separator: " ").map { String($0) }
    var index = 0
    func word() throws(PredicateFormatError) -> String {
      guard index < words.count else {
        throw PredicateFormatError(.syntax, "An operand is missing.", position: format.utf8.count)
      }
      defer { index += 1 }
      return words[index]
    }
    while true {
      let first = try word()
      switch first.uppercased() {
      case "TRUEPREDICATE": parts.append(.true)
      case "FALSEPREDICATE": parts.append(.false)
      case "SELF":
        let relation = try word()
        var text = try word()
        if text == "%@" {
          guard let argument = arguments.popFirst() as? String else {
            throw PredicateFormatError(.argument, "Expected an argument.", position: 8)
          }
          text = argument
        } else {
          text = String(text.dropFirst().dropLast())
        }
        switch relation {
        case "==": parts.append(try .equals(text))
        case "BEGINSWITH": parts.append(try .hasPrefix(text))
        default: throw PredicateFormatError(.syntax, "Expected an operator.", position: 5)
        }
      default: throw PredicateFormatError(.syntax, "Expected an operand.", position: 0)
      }
      guard index < words.count else { break }
      guard try word() == "OR" else {
        throw PredicateFormatError(.syntax, "Expected OR.", position: format.utf8.count)
      }
    }
    self = try ContentPredicate.any(of: parts)
  }

  /// Stands in for the part of the predicate that holds.
  package func matchedPart(for subject: String) -> ContentPredicate? {
    guard evaluate(subject) else { return nil }
    if case .node(let node) = form, case .or(let parts) = node.expression {
      return parts.first { $0.evaluate(subject) }
    }
    return self
  }
}
