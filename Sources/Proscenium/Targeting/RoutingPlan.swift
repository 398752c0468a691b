// SPDX-License-Identifier: Apache-2.0

package import ProsceniumPredicate

/// Stands in for how the router finds the sessions with a predicate.
package struct RoutingPlan {
  private let predicate: ContentPredicate

  /// Plans a predicate.
  package init(_ predicate: ContentPredicate) {
    self.predicate = predicate
  }

  /// The index and its cost.
  package var explanation: String { "no index yet: a plain scan" }
}
