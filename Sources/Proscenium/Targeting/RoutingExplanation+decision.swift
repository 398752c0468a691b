// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

extension RoutingExplanation {
  /// An open session, as far as a decision asks for it.
  package struct Session: Sendable {
    package let name: Name
    package let role: UInt8
    package let standing: SessionStanding
    package let conditions: SceneActivationConditions

    package init(
      _ name: Name, role: UInt8 = 0, _ standing: SessionStanding,
      _ conditions: SceneActivationConditions = SceneActivationConditions()
    ) {
      self.name = name
      self.role = role
      self.standing = standing
      self.conditions = conditions
    }
  }

  /// How many candidates an explanation shows unless told otherwise.
  package static var candidateLimit: Int { 10 }

  /// Decides about an event by looking at each session once, without an index (section 3.3).
  ///
  /// - Parameters:
  ///   - identifier: The target content identifier, or nil.
  ///   - sessions: All open sessions, of every role.
  ///   - rules: What the decision may come to.
  ///   - role: The role that the event is for.
  ///   - source: The session that the event came from.
  ///   - limit: How many candidates are kept, at least 1; the others are counted.
  package init(
    of identifier: String?, among sessions: some Sequence<Session>,
    rules: RoutingRules = RoutingRules(), role: UInt8 = 0, source: Name? = nil,
    limit: Int = candidateLimit
  ) {
    // The second one tells what decided, even if it is not shown.
    let kept = max(limit, 2)
    var pool = Best(source: source, limit: kept)
    var preferring = Best(source: source, limit: kept)
    var capable = Best(source: source, limit: kept)
    var openCount = 0
    for session in sessions {
      openCount += 1
      guard session.role == role else { continue }
      pool.consider(session)
      guard rules.supportsMultipleScenes, let identifier else { continue }
      if session.conditions.prefers.evaluate(identifier) { preferring.consider(session) }
      // Who merely can is of interest only as long as nobody prefers.
      guard preferring.count == 0 else { continue }
      if session.conditions.can.evaluate(identifier) { capable.consider(session) }
    }
    let best: Best
    if pool.count == 0 {
      (rule, best) = (.new, pool)
    } else if !rules.supportsMultipleScenes {
      (rule, best) = (.single, pool)
    } else if identifier == nil {
      (rule, best) = (.recent, pool)
    } else if preferring.count > 0 {
      (rule, best) = (.prefers, preferring)
    } else if capable.count > 0 {
      (rule, best) = (.can, capable)
    } else if let quota = rules.sessionQuota, openCount >= quota {
      (rule, best) = (.forced, pool)
    } else {
      (rule, best) = (.new, capable)
    }
    self.identifier = identifier
    candidateCount = best.count
    candidates = best.sessions.prefix(max(limit, 1)).map { [rule] session in
      Candidate(
        session: session.name, isSource: session.name == source,
        match: Match(of: identifier, rule, session.conditions), standing: session.standing)
    }
    decidedBy = best.tieBreak
  }
}

extension RoutingExplanation.Match {
  fileprivate init?(
    of identifier: String?, _ rule: RoutingRule, _ conditions: SceneActivationConditions
  ) {
    guard let identifier else { return nil }
    switch rule {
    case .prefers: (condition, predicate) = (.prefers, conditions.prefers)
    case .can: (condition, predicate) = (.can, conditions.can)
    case .single, .recent, .new, .forced: return nil
    }
    part = predicate.matchedPart(for: identifier) ?? predicate
  }
}

extension RoutingExplanation {
  /// The first few of many sessions in the order of R-RT-6, and how many there were.
  private struct Best {
    let source: Name?
    let limit: Int
    private(set) var count = 0
    private(set) var sessions: [Session] = []

    init(source: Name?, limit: Int) {
      self.source = source
      self.limit = limit
    }

    mutating func consider(_ session: Session) {
      count += 1
      if sessions.count == limit {
        guard let last = sessions.last, precedes(session, last) else { return }
        sessions.removeLast()
      }
      let index = sessions.firstIndex { precedes(session, $0) } ?? sessions.count
      sessions.insert(session, at: index)
    }

    var tieBreak: RoutingTieBreak? {
      guard let first = sessions.first else { return nil }
      guard sessions.count > 1 else { return .onlyCandidate }
      if first.name == source { return .source }
      let second = sessions[1].standing
      if first.standing.rank != second.rank { return .state }
      return first.standing == second ? .identifier : .activation
    }

    private func precedes(_ left: Session, _ right: Session) -> Bool {
      if left.name == source || right.name == source { return left.name == source }
      return left.standing == right.standing
        ? left.name < right.name : left.standing < right.standing
    }
  }
}
