// SPDX-License-Identifier: Apache-2.0

/// One comparison of two operands, `SELF BEGINSWITH "a/"`.
package struct Comparison: Sendable, Hashable {
  package typealias Options = ContentPredicate.Options

  package let left: Operand
  package let relation: Relation
  package let options: Options
  package let right: Operand

  package init(left: Operand, relation: Relation, options: Options = [], right: Operand) {
    self.left = left.prepared(options)
    self.relation = relation
    self.options = options
    self.right = right.prepared(options, isPattern: relation == .like)
  }

  package enum Operand: Sendable, Hashable {
    /// The identifier that is evaluated, `SELF`.
    case subject
    case text(LiteralText)
    /// A list of subjects and texts; lists are not nested.
    case list([Operand])
  }

  /// What the left operand is to the right one.
  package enum Relation: String, Sendable, CaseIterable {
    // The raw value is the canonical spelling.
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

/// A text that is compared byte by byte.
///
/// Swift's own comparison of strings takes canonically equivalent spellings for equal; the
/// predicate language does not.
package struct LiteralText: Sendable, Hashable {
  /// The text in UTF-8.
  let bytes: ContiguousArray<UInt8>
  /// The text as it is compared: folded if there are options, and a resolved pattern if it is one.
  package let matched: ContiguousArray<UInt8>

  package init(_ string: String) {
    bytes = ContiguousArray(string.utf8)
    matched = bytes
  }

  init(_ text: LiteralText, options: Comparison.Options, isPattern: Bool) {
    bytes = text.bytes
    let folded = options.isEmpty ? text.bytes : TextFolding.fold(text.bytes.span, options)
    matched = isPattern ? LikePattern.resolve(folded.span) : folded
  }

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package static func == (left: LiteralText, right: LiteralText) -> Bool {
    left.bytes == right.bytes
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}

extension Comparison.Operand {
  fileprivate func prepared(_ options: Comparison.Options, isPattern: Bool = false) -> Self {
    switch self {
    case .subject: self
    case .text(let text): .text(LiteralText(text, options: options, isPattern: isPattern))
    case .list(let elements): .list(elements.map { $0.prepared(options) })
    }
  }

  /// Calls a function with what is compared of an operand that is no list.
  @inline(__always)
  fileprivate func read(_ subject: Span<UInt8>, _ body: (Span<UInt8>) -> Bool) -> Bool {
    switch self {
    case .subject: body(subject)
    case .text(let text): body(text.matched.span)
    case .list: false
    }
  }
}

// MARK: - Evaluation

extension Comparison {
  /// Tells whether the comparison holds for a subject, given as UTF-8.
  package func evaluate(_ subject: Span<UInt8>, _ folded: inout FoldedSubject) -> Bool {
    if options.isEmpty { return holds(for: subject) }
    let form = folded.bytes(options, of: subject)
    return holds(for: form.span)
  }

  /// Tells whether the comparison holds for a subject that is folded as the options want.
  private func holds(for subject: Span<UInt8>) -> Bool {
    switch (left, right) {
    // Only CONTAINS has its list on the left.
    case (.list(let list), let element), (let element, .list(let list)):
      element.read(subject) { isFound($0, in: list, subject) }
    default:
      left.read(subject) { left in right.read(subject) { compare(left, $0) } }
    }
  }

  private func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    switch relation {
    case .equal: return ByteText.equal(left, right)
    case .notEqual: return !ByteText.equal(left, right)
    case .less: return ByteText.precedes(left, right)
    case .lessOrEqual: return !ByteText.precedes(right, left)
    case .greater: return ByteText.precedes(right, left)
    case .greaterOrEqual: return !ByteText.precedes(left, right)
    case .beginsWith: return ByteText.begins(left, with: right)
    case .endsWith: return ByteText.ends(left, with: right)
    case .contains: return ByteText.contains(left, right)
    case .isIn: return ByteText.contains(right, left)
    case .between: return false
    case .like:
      guard self.right == .subject else { return LikePattern.matches(left, resolved: right) }
      let pattern = LikePattern.resolve(right)
      return LikePattern.matches(left, resolved: pattern.span)
    }
  }

  /// Tells whether a text is between the two elements of a list, or equals any element.
  private func isFound(
    _ text: Span<UInt8>, in list: [Operand], _ subject: Span<UInt8>
  ) -> Bool {
    guard relation == .between else {
      return list.contains { $0.read(subject) { ByteText.equal(text, $0) } }
    }
    return list.count == 2 && list[0].read(subject) { !ByteText.precedes(text, $0) }
      && list[1].read(subject) { !ByteText.precedes($0, text) }
  }
}
