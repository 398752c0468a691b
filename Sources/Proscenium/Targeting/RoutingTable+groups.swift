// SPDX-License-Identifier: Apache-2.0

// Decisions among the sessions of one group, which are few.
extension RoutingTable {
  /// Decides which of some sessions gets an event, as if there were no others.
  func choose(
    _ target: String?, among members: Set<SessionHandle>, role: UInt8,
    source: SessionHandle?
  ) -> RoutingChoice {
    let pool = members.filter { ranks[$0]?.role == role }
    guard rules.supportsMultipleScenes, let target else {
      return choice(rules.supportsMultipleScenes ? .recent : .single, pool, source)
        ?? RoutingChoice(.new, nil)
    }
    let text = target.utf8.span
    let preferring = pool.filter { memberships[$0]?.prefers.holds(for: text) ?? false }
    if let choice = choice(.prefers, preferring, source) { return choice }
    let showing = pool.filter {
      ranks[$0]?.canShowEverything ?? false || memberships[$0]?.can.holds(for: text) ?? false
    }
    if let choice = choice(.can, showing, source) { return choice }
    if let quota = rules.sessionQuota, openCount >= quota,
      let choice = choice(.forced, pool, source)
    {
      return choice
    }
    return RoutingChoice(.new, nil)
  }

  /// The first of some candidates in the order of R-RT-6, or nil if there is none.
  private func choice(
    _ rule: RoutingRule, _ candidates: Set<SessionHandle>, _ source: SessionHandle?
  ) -> RoutingChoice? {
    if let source, candidates.contains(source) { return RoutingChoice(rule, source) }
    let best = candidates.compactMap { handle in
      ranks[handle].map { Ranked(handle: handle.rawValue, key: $0.key) }
    }.min { $0.isBefore($1, identifier) }
    return best.map { RoutingChoice(rule, SessionHandle(rawValue: $0.handle)) }
  }
}
