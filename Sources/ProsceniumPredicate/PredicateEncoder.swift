// SPDX-License-Identifier: Apache-2.0

/// Writes a predicate's flat form.
struct PredicateEncoder {
  private(set) var code = ContiguousArray<UInt8>()

  // MARK: - Nodes

  mutating func append(_ constant: Bool) {
    code.append(PredicateCode.constant(constant))
  }

  /// Writes the beginning of a negation; its part follows.
  mutating func appendNegation() {
    code.append(PredicateCode.negation)
  }

  /// Writes nodes that are encoded already.
  mutating func append(_ nodes: Span<UInt8>) {
    for index in nodes.indices { code.append(nodes[index]) }
  }

  /// Makes the code from a position on the first part of a conjunction or disjunction.
  mutating func openGroup(_ connective: UInt8, at start: Int) {
    code.insert(contentsOf: [connective, 0, 0], at: start)
  }

  /// Ends the conjunction or disjunction, or the list, that begins at a position.
  mutating func closeGroup(at start: Int) {
    let length = code.count - start - PredicateCode.headerByteCount
    code[start + 1] = UInt8(truncatingIfNeeded: length)
    code[start + 2] = UInt8(truncatingIfNeeded: length >> 8)
  }

  mutating func append(_ comparison: Comparison) {
    code.append(ComparisonCode.header(comparison))
    append(comparison.left, comparison.options, isPattern: false)
    append(comparison.right, comparison.options, isPattern: comparison.relation == .like)
  }

  // MARK: - Operands

  private mutating func append(
    _ operand: Comparison.Operand, _ options: Comparison.Options, isPattern: Bool
  ) {
    switch operand {
    case .subject: code.append(OperandCode.Kind.subject.rawValue)
    case .text(let literal): append(literal, options, isPattern: isPattern)
    case .list(let elements):
      let start = code.count
      code.append(contentsOf: [OperandCode.Kind.list.rawValue, 0, 0])
      for element in elements { append(element, options, isPattern: false) }
      closeGroup(at: start)
    }
  }

  private mutating func append(
    _ literal: LiteralText, _ options: Comparison.Options, isPattern: Bool
  ) {
    let text = literal.string.utf8.span
    code.append(OperandCode.Kind.text.rawValue)
    appendCounted(text)
    if options.isEmpty {
      guard isPattern else { return }
      let pattern = LikePattern.resolve(text)
      appendCounted(pattern.span)
    } else {
      var form = TextFolding.fold(text, options)
      if isPattern { form = LikePattern.resolve(form.span) }
      appendCounted(form.span)
    }
  }

  private mutating func appendCounted(_ bytes: Span<UInt8>) {
    code.append(UInt8(truncatingIfNeeded: bytes.count))
    code.append(UInt8(truncatingIfNeeded: bytes.count >> 8))
    append(bytes)
  }
}
