// SPDX-License-Identifier: Apache-2.0

extension PredicateParser {
  // MARK: - What was expected

  func unexpectedInsteadOfOperator() -> PredicateFormatError {
    let expected = "An operator such as == or BEGINSWITH"
    if token.text == "NOT" {
      return unexpected(expected, hint: "NOT precedes the whole comparison: NOT SELF IN {…}.")
    }
    return unexpected(
      expected,
      hint: suggestion(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN", "BETWEEN"]))
  }

  func unexpectedAfterTerm(parenthesis: Int?) -> PredicateFormatError {
    let closing =
      parenthesis.map { ") for the parenthesis opened at byte \($0)" } ?? "the end of the format"
    return unexpected("AND, OR or \(closing)", hint: suggestion(["AND", "OR"]))
  }

  func unexpectedInsteadOfOperand(_ place: Place) -> PredicateFormatError {
    let expected =
      switch place {
      case .term: "A comparison such as SELF == 'a', a constant, NOT or ("
      case .operand: "A string, SELF, a list or %@"
      }
    guard token.kind == .word, !Self.reserved.contains(token.text),
      Self.refusedOperators[token.text] == nil
    else { return unexpected(expected) }
    let word = lexer.spelling(token).shortened
    if lexer.token(from: token.end).text == "(" {
      return PredicateFormatError(
        .functionNotAllowed,
        "The function \(word) is not allowed: compute its value first, and pass that as an "
          + "argument (R-PR-2).",
        position: token.position)
    }
    let hint = suggestion(
      place == .term ? ["SELF", "TRUEPREDICATE", "FALSEPREDICATE", "NOT"] : ["SELF"])
    return PredicateFormatError(
      .keyPathNotAllowed,
      "The key path \(word) is not allowed: the identifier SELF is all that there is (R-PR-1). "
        + (hint ?? "A text must be in quotes."),
      position: token.position)
  }

  func otherKeyPathArgument(_ number: Int) -> PredicateFormatError {
    PredicateFormatError(
      .keyPathNotAllowed,
      "%K takes nothing but \"SELF\" (R-PR-1), and argument \(number) is something else.",
      position: token.position)
  }

  /// The error at an unexpected token.
  func unexpected(_ expected: String, hint: String? = nil) -> PredicateFormatError {
    let position = token.position
    if let instead = Self.refusedOperators[token.text] {
      return PredicateFormatError(
        .operatorNotAllowed, "\(token.text) is not allowed (R-PR-1): \(instead).",
        position: position)
    }
    switch token.text {
    case "$" where lexer.hasWord(at: token.end):
      return PredicateFormatError(
        .variableNotAllowed,
        "Variables are not allowed (R-PR-2): put the value in, or pass it as an argument for %@.",
        position: position)
    case "." where followsSubject, "@" where lexer.hasWord(at: token.end),
      "#" where lexer.hasWord(at: token.end):
      return PredicateFormatError(
        .keyPathNotAllowed,
        "Key paths are not allowed (R-PR-1): the identifier SELF is all that there is.",
        position: position)
    default:
      return PredicateFormatError(
        .syntax,
        "\(expected) was expected, and \(found) was found." + (hint.map { " " + $0 } ?? ""),
        position: position)
    }
  }

  // MARK: - What was found

  /// The next token, for a sentence.
  var found: String {
    switch token.kind {
    case .end: "the end of the format"
    case .quote: "a string"
    case .number: "the number \(lexer.spelling(token).shortened)"
    case .word where token.text == "SELF": "SELF"
    case .word: "the word \(lexer.spelling(token).shortened)"
    case .symbol: Self.describe(lexer.spelling(token))
    }
  }

  private static func describe(_ symbol: String) -> String {
    // A control character or a lone combining mark would spoil the sentence.
    guard let scalar = symbol.unicodeScalars.first, !scalar.isASCII || scalar.value < 0x20 else {
      return symbol
    }
    return "U+" + String(scalar.value, radix: 16, uppercase: true)
  }

  // MARK: - Words

  /// What to use instead of the operators that R-PR-1 refuses.
  private static let refusedOperators = [
    "MATCHES": "its time has no bound; use LIKE, with * and ?",
    "UTI-CONFORMS-TO": "only texts are compared; use == or IN",
    "UTI-EQUALS": "only texts are compared; use ==[c]",
    "ANY": "the identifier is one text; use IN",
    "SOME": "the identifier is one text; use IN",
    "ALL": "the identifier is one text; join comparisons with AND",
    "NONE": "the identifier is one text; use NOT SELF IN",
  ]

  /// The words that are never identifiers.
  private static let reserved: Set<String> = [
    "SELF", "AND", "OR", "NOT", "TRUEPREDICATE", "FALSEPREDICATE", "BEGINSWITH", "ENDSWITH",
    "CONTAINS", "LIKE", "IN", "BETWEEN", "NIL", "NULL", "TRUE", "FALSE", "YES", "NO",
  ]

  /// A question whether a known word was meant, if one is near enough.
  private func suggestion(_ words: [String]) -> String? {
    guard token.kind == .word, token.text.utf8.count <= 20 else { return nil }
    let limit = token.text.utf8.count < 5 ? 1 : 2
    let near = words.map { (word: $0, distance: EditDistance.between(token.text, $0)) }
      .filter { $0.distance <= limit }
      .min { $0.distance < $1.distance }
    return near.map { "Did you mean \($0.word)?" }
  }
}

extension String {
  /// The first 40 scalars, so that a sentence stays readable.
  fileprivate var shortened: String {
    guard unicodeScalars.count > 40 else { return self }
    return String(unicodeScalars.prefix(40)) + "…"
  }
}

/// How far a misspelt word is from a known one.
private enum EditDistance {
  /// The number of bytes to insert, to remove, to replace or to swap with their neighbour.
  static func between(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    var rows = [Array(0...right.count)]
    for row in 0..<left.count {
      var next = [row + 1]
      for column in 0..<right.count {
        var cost = rows[row][column] + (left[row] == right[column] ? 0 : 1)
        cost = min(cost, next[column] + 1, rows[row][column + 1] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, rows[row - 1][column - 1] + 1)
        }
        next.append(cost)
      }
      rows.append(next)
    }
    return rows[left.count][right.count]
  }
}
