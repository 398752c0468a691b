// SPDX-License-Identifier: Apache-2.0

/// A predicate as a tree, in which it is kept and evaluated.
///
/// There are at most 64 comparisons and constants, and a conjunction or disjunction has at least
/// two parts, so that those nest at most 63 deep: functions call themselves for them.
package enum PredicateExpression: Sendable, Hashable {
  case constant(Bool)
  indirect case comparison(Comparison)
  /// Holds if all parts do; at least two of them.
  case and([PredicateExpression])
  /// Holds if any of the parts does; at least two of them.
  case or([PredicateExpression])
  /// A part that is negated so many times; it is no negation itself.
  indirect case not(PredicateExpression, times: Int = 1)

  /// The expression behind more negations.
  func negated(times: Int = 1) -> PredicateExpression {
    if times == 0 { return self }
    if case .not(let part, let known) = self { return .not(part, times: known + times) }
    return .not(self, times: times)
  }

  /// The number of comparisons and constants.
  var termCount: Int {
    switch self {
    case .constant, .comparison: 1
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.termCount }
    case .not(let part, _): part.termCount
    }
  }

  /// Tells whether the expression holds for a subject, given as UTF-8.
  func evaluate(_ subject: Span<UInt8>, _ folded: inout FoldedSubject) -> Bool {
    switch self {
    case .constant(let value): return value
    case .comparison(let comparison): return comparison.evaluate(subject, &folded)
    case .and(let parts):
      for part in parts where !part.evaluate(subject, &folded) { return false }
      return true
    case .or(let parts):
      for part in parts where part.evaluate(subject, &folded) { return true }
      return false
    case .not(let part, let times):
      return part.evaluate(subject, &folded) == times.isMultiple(of: 2)
    }
  }
}
