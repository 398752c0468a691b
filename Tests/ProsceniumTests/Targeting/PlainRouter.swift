// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate

/// A linear search by semantics#routing-decision, whose results the router must equal.
struct PlainRouter {
  struct Session {
    var role: UInt8
    var rank: SessionRank
    var conditions: SceneActivationConditions
  }

  /// What an activation request comes to.
  enum Activation: Equatable {
    case choice(RoutingChoice)
    case refusal(SceneError.Code)
  }

  var rules = RoutingRules()
  var sessions: [SessionHandle: Session] = [:]
  let identifier: (SessionHandle) -> SessionIdentifier

  func choose(
    _ target: String?, role: UInt8, source: SessionHandle?
  ) -> RoutingChoice {
    let pool = sessions.filter { $0.value.role == role }
    if pool.isEmpty { return RoutingChoice(.new, nil) }
    guard rules.supportsMultipleScenes else {
      return RoutingChoice(.single, best(pool, source) { _ in true })
    }
    guard let target else {
      return RoutingChoice(.recent, best(pool, source) { _ in true })
    }
    if let best = best(pool, source, where: { $0.prefers.evaluate(target) }) {
      return RoutingChoice(.prefers, best)
    }
    if let best = best(pool, source, where: { $0.can.evaluate(target) }) {
      return RoutingChoice(.can, best)
    }
    if let quota = rules.sessionQuota, sessions.count >= quota {
      return RoutingChoice(.forced, best(pool, source) { _ in true })
    }
    return RoutingChoice(.new, nil)
  }

  func chooseForActivation(
    _ target: String?, role: UInt8
  ) -> Activation {
    if !rules.supportsMultipleScenes, !sessions.isEmpty {
      return .refusal(.multipleScenesNotSupported)
    }
    let pool = sessions.filter { $0.value.role == role }
    if let target, let best = best(pool, nil, where: { $0.prefers.evaluate(target) }) {
      return .choice(RoutingChoice(.prefers, best))
    }
    if let quota = rules.sessionQuota, sessions.count >= quota {
      return .refusal(.quotaReached)
    }
    return .choice(RoutingChoice(.new, nil))
  }

  private func best(
    _ sessions: [SessionHandle: Session], _ source: SessionHandle?,
    where isCandidate: (SceneActivationConditions) -> Bool
  ) -> SessionHandle? {
    sessions.filter { isCandidate($0.value.conditions) }.min { left, right in
      if left.key == source || right.key == source { return left.key == source }
      if left.value.rank != right.value.rank {
        return left.value.rank < right.value.rank
      }
      return identifier(left.key) < identifier(right.key)
    }?.key
  }
}
