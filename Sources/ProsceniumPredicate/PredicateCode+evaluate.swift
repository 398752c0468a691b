// SPDX-License-Identifier: Apache-2.0

extension PredicateCode {
  /// Tells whether a predicate holds for a subject, given as UTF-8.
  ///
  /// Nothing is allocated unless there are options, or `SELF` is itself a pattern.
  ///
  /// - Parameters:
  ///   - code: The predicate's flat form.
  ///   - subject: The target content identifier.
  ///   - folded: What is known of the subject's folded forms.
  /// - Returns: Whether the predicate holds.
  package static func evaluate(
    _ code: Span<UInt8>, _ subject: Span<UInt8>, _ folded: inout FoldedSubject
  ) -> Bool {
    var position = 0
    return evaluate(code, &position, subject, &folded)
  }

  /// Evaluates the node at a position and moves the position to its end.
  static func evaluate(
    _ code: Span<UInt8>, _ position: inout Int, _ subject: Span<UInt8>,
    _ folded: inout FoldedSubject
  ) -> Bool {
    var isNegated = false
    while code[position] == negation {
      isNegated.toggle()
      position += 1
    }
    let result: Bool
    switch code[position] {
    case let value where value <= 1:
      result = value == 1
      position += 1
    case conjunction:
      result = !anyPart(code, &position, is: false, subject, &folded)
    case disjunction:
      result = anyPart(code, &position, is: true, subject, &folded)
    default:
      let comparison = ComparisonCode(code, at: position)
      position = comparison.end
      if comparison.options.isEmpty {
        result = comparison.holds(code, subject)
      } else {
        let form = folded.bytes(comparison.options, of: subject)
        result = comparison.holds(code, form.span)
      }
    }
    return result != isNegated
  }

  /// Tells whether a part of a conjunction or disjunction has a result; the rest is left out then.
  private static func anyPart(
    _ code: Span<UInt8>, _ position: inout Int, is wanted: Bool, _ subject: Span<UInt8>,
    _ folded: inout FoldedSubject
  ) -> Bool {
    let start = position + headerByteCount
    let end = start + length(code, at: position + 1)
    position = start
    while position < end {
      if evaluate(code, &position, subject, &folded) == wanted {
        position = end
        return true
      }
    }
    return false
  }
}

extension ComparisonCode {
  /// Tells whether the comparison holds for a subject that is folded as its options want.
  @inline(__always)
  fileprivate func holds(_ code: Span<UInt8>, _ subject: Span<UInt8>) -> Bool {
    switch (left.kind, right.kind) {
    case (.subject, .text): compare(subject, code.extracting(right.matched))
    case (.subject, .subject): compareUnprepared(subject, subject)
    case (.text, .subject): compareUnprepared(code.extracting(left.matched), subject)
    case (.text, .text):
      compare(code.extracting(left.matched), code.extracting(right.matched))
    case (.subject, .list): compare(subject, with: right, code, subject)
    case (.text, .list): compare(code.extracting(left.matched), with: right, code, subject)
    // Only CONTAINS has its list on the left.
    case (.list, .subject): compare(subject, with: left, code, subject)
    case (.list, .text): compare(code.extracting(right.matched), with: left, code, subject)
    case (.list, .list): false
    }
  }

  /// Compares with a right side that was not prepared for `LIKE`, as it is the subject.
  private func compareUnprepared(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard relation == .like else { return compare(left, right) }
    let pattern = LikePattern.resolve(right)
    return compare(left, pattern.span)
  }

  @inline(__always)
  private func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    switch relation {
    case .equal: ByteText.equal(left, right)
    case .notEqual: !ByteText.equal(left, right)
    case .less: ByteText.precedes(left, right)
    case .lessOrEqual: !ByteText.precedes(right, left)
    case .greater: ByteText.precedes(right, left)
    case .greaterOrEqual: !ByteText.precedes(left, right)
    case .beginsWith: ByteText.begins(left, with: right)
    case .endsWith: ByteText.ends(left, with: right)
    case .contains: ByteText.contains(left, right)
    case .like: LikePattern.matches(left, resolved: right)
    case .isIn: ByteText.contains(right, left)
    case .between: false
    }
  }

  /// Compares a text with a list: whether it is between the two elements, or equals any of them.
  private func compare(
    _ text: Span<UInt8>, with list: OperandCode, _ code: Span<UInt8>, _ subject: Span<UInt8>
  ) -> Bool {
    var position = list.content.lowerBound
    var isUpperBound = false
    while position < list.content.upperBound {
      let element = OperandCode(code, at: position, isMatched: !options.isEmpty)
      position = element.end
      let isFound =
        element.kind == .subject
        ? compare(text, withElement: subject, isUpperBound)
        : compare(text, withElement: code.extracting(element.matched), isUpperBound)
      if isFound != (relation == .between) { return isFound }
      isUpperBound = true
    }
    return relation == .between
  }

  /// Compares a text with one element of a list.
  private func compare(
    _ text: Span<UInt8>, withElement element: Span<UInt8>, _ isUpperBound: Bool
  ) -> Bool {
    if relation != .between { return ByteText.equal(text, element) }
    return isUpperBound ? !ByteText.precedes(element, text) : !ByteText.precedes(text, element)
  }
}
