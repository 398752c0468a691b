// SPDX-License-Identifier: Apache-2.0

/// Reads a format and makes the tree, in one pass and without calling itself.
struct PredicateParser {
  /// An open level: the whole predicate, or a parenthesis in it.
  private struct Frame {
    /// The offset of the parenthesis in the format, or nil for the whole predicate.
    let parenthesis: Int?
    /// The parts of a disjunction that are complete.
    var alternatives: [PredicateExpression] = []
    /// The parts so far of the conjunction that is read.
    var parts: [PredicateExpression] = []
    /// How often the next part is negated.
    var negationCount = 0

    var isEmpty: Bool { alternatives.isEmpty && parts.isEmpty && negationCount == 0 }

    mutating func append(_ part: PredicateExpression) {
      parts.append(part.negated(times: negationCount))
      negationCount = 0
    }

    /// Ends a conjunction, which may have one part only.
    mutating func endConjunction() {
      alternatives.append(parts.count == 1 ? parts[0] : .and(parts))
      parts = []
    }

    /// Ends the level.
    mutating func expression() -> PredicateExpression {
      endConjunction()
      return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
    }
  }

  let lexer: PredicateLexer
  /// The next token.
  private(set) var token: PredicateLexer.Token
  /// Whether the token before is `SELF` or `%K`, so that a `.` would begin a key path.
  private(set) var followsSubject = false

  private let arguments: [any Sendable]
  private var nextArgument = 0

  private var frames = [Frame(parenthesis: nil)]
  private var termCount = 0
  /// A lower bound of what all texts take in the canonical string.
  private var textByteCount = 0

  init(_ format: String, _ arguments: [any Sendable]) {
    lexer = PredicateLexer(format)
    token = lexer.token(from: 0)
    self.arguments = arguments
  }

  /// Reads the whole format.
  mutating func predicate() throws(PredicateFormatError) -> ContentPredicate {
    repeat { try readTerm() } while try readConnective()
    // A limit has no place in the format, so any error that has one comes first.
    try ContentPredicate.Limit.checkTermCount(termCount)
    try ContentPredicate.Limit.checkCanonicalByteCount(textByteCount)
    return try ContentPredicate(checking: frames[0].expression())
  }

  // MARK: - Tokens

  mutating func advance() {
    followsSubject = token.text == "SELF" || token.text == "%K"
    token = lexer.token(from: token.end)
  }

  mutating func advance(to offset: Int) {
    followsSubject = false
    token = lexer.token(from: offset)
  }

  // MARK: - Connectives

  /// Reads negations, opening parentheses, and one comparison or constant.
  private mutating func readTerm() throws(PredicateFormatError) {
    while true {
      switch token.text {
      case "NOT", "!":
        frames[frames.count - 1].negationCount += 1
        advance()
      case "(":
        frames.append(Frame(parenthesis: token.position))
        advance()
      case "TRUEPREDICATE", "FALSEPREDICATE":
        append(.constant(token.text == "TRUEPREDICATE"))
        return advance()
      default: return try readComparison()
      }
    }
  }

  /// Reads closing parentheses and a connective.
  ///
  /// - Returns: Whether another term must follow.
  private mutating func readConnective() throws(PredicateFormatError) -> Bool {
    while true {
      let last = frames.count - 1
      switch token.text {
      case "AND", "&&":
        advance()
        return true
      case "OR", "||":
        frames[last].endConjunction()
        advance()
        return true
      case ")" where last > 0:
        let expression = frames[last].expression()
        frames.removeLast()
        frames[last - 1].append(expression)
        advance()
      default:
        guard token.kind == .end, last == 0 else {
          throw unexpectedAfterTerm(parenthesis: frames[last].parenthesis)
        }
        return false
      }
    }
  }

  private mutating func append(_ term: PredicateExpression) {
    termCount += 1
    // What is over a limit will be refused; until then its syntax alone is of interest.
    frames[frames.count - 1].append(isOverLimit ? .constant(false) : term)
  }

  // MARK: - Comparisons

  private mutating func readComparison() throws(PredicateFormatError) {
    let left = try readOperand(.term)
    // A parenthesis around nothing but an operand is the operand's.
    while token.text == ")", let frame = frames.last, frame.parenthesis != nil,
      frame.isEmpty
    {
      frames.removeLast()
      advance()
    }
    let relation = try readRelation()
    let options = try readOptions(relation)
    let right = try readOperand(.operand)
    try check(left, relation, right)
    append(
      .comparison(
        Comparison(left: left.value, relation: relation, options: options, right: right.value)))
  }

  private mutating func readRelation() throws(PredicateFormatError) -> Comparison.Relation {
    let relation: Comparison.Relation
    switch token.text {
    case "=": relation = .equal
    case "<>": relation = .notEqual
    case "=<": relation = .lessOrEqual
    case "=>": relation = .greaterOrEqual
    default:
      guard let named = Comparison.Relation(rawValue: token.text) else {
        throw unexpectedInsteadOfOperator()
      }
      relation = named
    }
    advance()
    return relation
  }

  private mutating func readOptions(
    _ relation: Comparison.Relation
  ) throws(PredicateFormatError) -> Comparison.Options {
    guard token.text == "[" else { return [] }
    let bracket = token.position
    if relation == .between {
      throw PredicateFormatError(.syntax, "BETWEEN has no options.", position: bracket)
    }
    advance()
    let options: Comparison.Options? =
      switch token.text {
      case "C": .caseInsensitive
      case "D": .diacriticInsensitive
      case "CD": [.caseInsensitive, .diacriticInsensitive]
      default: nil
      }
    if options != nil { advance() }
    guard let options, token.text == "]" else {
      throw PredicateFormatError(
        .syntax, "The options [c], [d] or [cd] were expected, and \(found) was found.",
        position: bracket)
    }
    advance()
    return options
  }

  // MARK: - Arguments and texts

  private var isOverLimit: Bool {
    termCount > ContentPredicate.Limit.termCount
      || textByteCount > ContentPredicate.Limit.canonicalByteCount
  }

  /// Counts a text; once there are too many of them none is kept.
  mutating func literal(_ text: String) -> Comparison.Operand {
    textByteCount += text.utf8.count + 2
    return .text(LiteralText(isOverLimit ? "" : text))
  }

  /// Takes the argument of the placeholder that is the next token.
  mutating func takeArgument() throws(PredicateFormatError) -> Comparison.Operand {
    let name = token.text
    guard nextArgument < arguments.count else {
      throw PredicateFormatError(
        .argument,
        "\(name) takes argument \(nextArgument + 1), and \(arguments.count) were given.",
        position: token.position)
    }
    let argument = arguments[nextArgument]
    nextArgument += 1
    let text = argument as? String ?? (argument as? Substring).map(String.init)
    let list = argument as? [String] ?? (argument as? [Substring])?.map(String.init)
    guard text != nil || list != nil else {
      throw PredicateFormatError(
        .argument,
        "Argument \(nextArgument) must be a string or a list of strings, and is "
          + "\(type(of: argument)).",
        position: token.position)
    }
    if name == "%K" {
      guard text?.uppercased() == "SELF" else { throw otherKeyPathArgument(nextArgument) }
      return .subject
    }
    if let text { return literal(text) }
    var elements: [Comparison.Operand] = []
    for string in list ?? [] {
      // Three elements are enough to see that they are not the two that BETWEEN needs.
      if isOverLimit && elements.count > 2 { break }
      elements.append(literal(string))
    }
    return .list(elements)
  }
}
