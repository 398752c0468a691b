// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

@testable import ProsceniumLoad

/// Routing without an index: every decision evaluates the predicates of all sessions.
enum NaiveScan {
  /// The session that gets an identifier, or nil for a new one.
  static func choose(_ target: String, _ workload: RoutingWorkload) -> RoutingChoice {
    if let best = best(workload, where: { $0.prefers.evaluate(target) }) {
      return RoutingChoice(.prefers, best)
    }
    if let best = best(workload, where: { $0.can.evaluate(target) }) {
      return RoutingChoice(.can, best)
    }
    return RoutingChoice(.new, nil)
  }

  private static func best(
    _ workload: RoutingWorkload, where isCandidate: (SceneActivationConditions) -> Bool
  ) -> SessionHandle? {
    var best: Int?
    for index in workload.conditions.indices where isCandidate(workload.conditions[index]) {
      if let other = best, workload.ranks[other] < workload.ranks[index] { continue }
      best = index
    }
    return best.map { SessionHandle(rawValue: UInt32($0)) }
  }
}
