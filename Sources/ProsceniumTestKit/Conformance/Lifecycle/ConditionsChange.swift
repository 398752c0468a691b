// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPredicate

/// What is to be set of a scene's activation conditions.
struct ConditionsChange: Sendable {
  let can: PredicateText?
  let prefers: PredicateText?

  /// Reads the keys `can` and `prefers` of an object, which may have others.
  init(_ node: JSONNode) throws(JSONFileError) {
    can = try node.optional("can").map(PredicateText.init)
    prefers = try node.optional("prefers").map(PredicateText.init)
  }

  /// Makes both predicates, so that nothing is changed if one of them cannot be made.
  func parse() throws(PredicateRefusal) -> ParsedConditions {
    ParsedConditions(can: try can?.parse(), prefers: try prefers?.parse())
  }
}

/// A change of conditions whose predicates have been made.
struct ParsedConditions: Sendable {
  let can: ContentPredicate?
  let prefers: ContentPredicate?

  func apply(to conditions: inout SceneActivationConditions) {
    if let can { conditions.can = can }
    if let prefers { conditions.prefers = prefers }
  }
}
