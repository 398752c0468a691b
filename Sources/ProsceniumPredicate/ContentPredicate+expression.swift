// SPDX-License-Identifier: Apache-2.0

extension ContentPredicate {
  /// The predicate's flat form, or nil for `TRUEPREDICATE` and `FALSEPREDICATE` alone.
  package var code: ContiguousArray<UInt8>? {
    guard case .program(let code) = form else { return nil }
    return code
  }

  /// The predicate as a tree.
  ///
  /// Two negations of one part cancel each other and are left out, so that the tree is at most some
  /// 130 nodes deep and can be walked, compared and released by functions that call themselves.
  package var expression: PredicateExpression {
    switch form {
    case .constant(let value): return .constant(value)
    case .program(let code):
      var position = 0
      return PredicateCode.expression(code.span, &position)
    }
  }
}

extension PredicateCode {
  fileprivate static func expression(
    _ code: Span<UInt8>, _ position: inout Int
  ) -> PredicateExpression {
    var isNegated = false
    while code[position] == negation {
      isNegated.toggle()
      position += 1
    }
    let result: PredicateExpression
    switch code[position] {
    case let value where value <= 1:
      result = .constant(value == 1)
      position += 1
    case conjunction: result = .and(parts(code, &position))
    case disjunction: result = .or(parts(code, &position))
    default:
      let comparison = ComparisonCode(code, at: position)
      result = .comparison(comparison.decoded(code))
      position = comparison.end
    }
    return isNegated ? .not(result) : result
  }

  private static func parts(
    _ code: Span<UInt8>, _ position: inout Int
  ) -> [PredicateExpression] {
    let end = end(code, ofNodeAt: position)
    position += headerByteCount
    var parts: [PredicateExpression] = []
    while position < end { parts.append(expression(code, &position)) }
    return parts
  }
}

extension ComparisonCode {
  fileprivate func decoded(_ code: Span<UInt8>) -> Comparison {
    Comparison(
      left: decoded(left, code), relation: relation, options: options, right: decoded(right, code))
  }

  private func decoded(_ operand: OperandCode, _ code: Span<UInt8>) -> Comparison.Operand {
    switch operand.kind {
    case .subject: return .subject
    case .text: return .text(LiteralText(code, operand.content))
    case .list:
      var elements: [Comparison.Operand] = []
      var position = operand.content.lowerBound
      while position < operand.content.upperBound {
        let element = OperandCode(code, at: position, isMatched: !options.isEmpty)
        elements.append(
          element.kind == .subject ? .subject : .text(LiteralText(code, element.content)))
        position = element.end
      }
      return .list(elements)
    }
  }
}

extension LiteralText {
  fileprivate init(_ code: Span<UInt8>, _ range: Range<Int>) {
    self.init(String(decoding: range.map { code[$0] }, as: UTF8.self))
  }
}
