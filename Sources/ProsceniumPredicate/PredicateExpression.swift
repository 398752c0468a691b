// SPDX-License-Identifier: Apache-2.0

/// A predicate as a tree, for callers that inspect it.
package indirect enum PredicateExpression: Sendable, Hashable {
  case constant(Bool)
  case comparison(Comparison)
  /// Holds if all parts do; at least two of them.
  case and([PredicateExpression])
  /// Holds if any of the parts does; at least two of them.
  case or([PredicateExpression])
  case not(PredicateExpression)
}
