// SPDX-License-Identifier: Apache-2.0

extension PredicateParser {
  /// An operand, and its position in the format.
  struct Operand {
    /// The offset of its first token, without the parentheses around it.
    let position: Int
    let value: Comparison.Operand
    /// The number of elements of a list, also of those that are no strings.
    var count = 0
    /// The offset of the first element that is no string.
    var misfit: Int?
  }

  /// A parenthesis or a list that is not closed yet.
  private struct Opening {
    let position: Int
    /// The elements so far, or nil for a parenthesis.
    var elements: [Comparison.Operand]?
    var count = 0
    var misfit: Int?

    mutating func append(_ operand: Operand) {
      count += 1
      if case .list = operand.value {
        misfit = misfit ?? operand.position
      } else {
        elements?.append(operand.value)
      }
    }

    var operand: Operand {
      Operand(position: position, value: .list(elements ?? []), count: count, misfit: misfit)
    }
  }

  /// What an operand may be instead, for the sentence of an error.
  enum Place {
    /// The left side of a comparison, where there could also be a negation or a constant.
    case term
    case operand
  }

  /// Reads an operand with all its elements.
  mutating func readOperand(_ place: Place) throws(PredicateFormatError) -> Operand {
    var openings: [Opening] = []
    while true {
      let position = token.position
      var operand: Operand
      switch token.text {
      case "(":
        openings.append(Opening(position: position))
        advance()
        continue
      case "{":
        let list = Opening(position: position, elements: [])
        advance()
        if token.text != "}" {
          openings.append(list)
          continue
        }
        operand = list.operand
        advance()
      default: operand = try readSimpleOperand(openings.isEmpty ? place : .operand)
      }
      if try close(&openings, &operand) { return operand }
    }
  }

  /// Reads what follows a complete operand in the open lists around it.
  ///
  /// - Returns: Whether every list is closed; otherwise another element must follow.
  private mutating func close(
    _ openings: inout [Opening], _ operand: inout Operand
  ) throws(PredicateFormatError) -> Bool {
    while var opening = openings.popLast() {
      if opening.elements != nil {
        opening.append(operand)
        if token.text == "," {
          openings.append(opening)
          advance()
          return false
        }
        guard token.text == "}" else {
          throw unexpected("A comma, or } for the list opened at byte \(opening.position),")
        }
        operand = opening.operand
      } else if token.text != ")" {
        throw unexpected("A ) for the parenthesis opened at byte \(opening.position)")
      }
      advance()
    }
    return true
  }

  private mutating func readSimpleOperand(
    _ place: Place
  ) throws(PredicateFormatError) -> Operand {
    let position = token.position
    switch token.text {
    case "SELF":
      advance()
      return Operand(position: position, value: .subject)
    case "%@", "%K":
      let value = try takeArgument()
      advance()
      var operand = Operand(position: position, value: value)
      if case .list(let elements) = value { operand.count = elements.count }
      return operand
    default:
      guard token.kind == .quote else { throw unexpectedInsteadOfOperand(place) }
      let (text, end) = try lexer.string(from: token)
      advance(to: end)
      return Operand(position: position, value: literal(text))
    }
  }

  // MARK: - Types

  /// Checks that the operands fit the operator (R-PR-2).
  func check(
    _ left: Operand, _ relation: Comparison.Relation, _ right: Operand
  ) throws(PredicateFormatError) {
    switch relation {
    case .between:
      try checkString(left, "left of BETWEEN")
      guard case .list = right.value, right.count == 2 else {
        throw mismatch(right, "A list of two strings", "right of BETWEEN")
      }
      try checkElements(right)
    case .isIn:
      try checkString(left, "left of IN")
      try checkElements(right)
    case .contains:
      try checkElements(left)
      try checkString(right, "right of CONTAINS")
    default:
      try checkString(left, "left of \(relation.rawValue)")
      try checkString(right, "right of \(relation.rawValue)")
    }
  }

  private func checkString(
    _ operand: Operand, _ place: String
  ) throws(PredicateFormatError) {
    if case .list = operand.value { throw mismatch(operand, "A string", place) }
  }

  private func checkElements(_ operand: Operand) throws(PredicateFormatError) {
    guard let misfit = operand.misfit else { return }
    throw PredicateFormatError(
      .typeMismatch, "A string was expected as an element of a list, and a list was found.",
      position: misfit)
  }

  private func mismatch(
    _ operand: Operand, _ expected: String, _ place: String
  ) -> PredicateFormatError {
    let found =
      switch operand.value {
      case .subject: "SELF"
      case .text: "a string"
      case .list: "a list of \(operand.count)"
      }
    return PredicateFormatError(
      .typeMismatch, "\(expected) was expected \(place), and \(found) was found.",
      position: operand.position)
  }
}
