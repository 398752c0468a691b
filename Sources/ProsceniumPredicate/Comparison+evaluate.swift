// SPDX-License-Identifier: Apache-2.0

extension Comparison {
  /// Tells whether the comparison alone holds for an identifier.
  package func evaluate(_ subject: String) -> Bool {
    var encoder = PredicateEncoder()
    encoder.append(self)
    var folded = FoldedSubject()
    return PredicateCode.evaluate(encoder.code.span, subject.utf8.span, &folded)
  }
}
