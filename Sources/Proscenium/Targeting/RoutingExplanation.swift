// SPDX-License-Identifier: Apache-2.0

public import ProsceniumPredicate

/// Why an event goes to the session that it goes to.
///
/// It shows the rule that decided (semantics#routing-decision), the sessions among which it did,
/// the best first, what made the first one the first (R-RT-6), and for each the part of its
/// predicate that matched.
/// Its ``description`` is the same as a text of a few lines.
///
/// `Name` is what sessions are called: ``SessionIdentifier`` in an application, and any text where
/// routing is tried without one. The smaller name wins the last tie.
public struct RoutingExplanation<
  Name: Sendable & Hashable & Comparable & CustomStringConvertible
>: Sendable, Hashable {
  /// The target content identifier, or nil if the event has none.
  public let identifier: String?

  /// The rule by which the session was found.
  public let rule: RoutingRule

  /// How many sessions the rule left to choose from; none for a new session.
  public let candidateCount: Int

  /// The first of the candidates, the chosen one at the front.
  public let candidates: [Candidate]

  /// What made the chosen session the first, or nil if none was chosen.
  public let decidedBy: RoutingTieBreak?

  /// The session that gets the event, or nil for a new one.
  public var session: Name? { candidates.first?.session }

  /// A session that the rule left to choose from.
  public struct Candidate: Sendable, Hashable {
    /// The session's name.
    public let session: Name

    /// Whether the event came from this session.
    public let isSource: Bool

    /// The predicate that matched, and how; nil where the rule asks for no predicate.
    public let match: Match?

    let rank: SessionRank

    /// The state of the session's scene; ``SceneActivationState/unattached`` if it has none.
    public var state: SceneActivationState {
      switch rank.state {
      case .active: .foregroundActive
      case .inactive: .foregroundInactive
      case .background: .background
      case .archived: .unattached
      }
    }

    /// The application's activation counter when the session became active last; 0 if never.
    public var lastActivated: UInt64 { rank.lastActivated }

    /// The name of the state as the tie-break has it, such as `archived`.
    package var stateName: String { "\(rank.state)" }
  }

  /// A predicate that holds for the identifier.
  public struct Match: Sendable, Hashable {
    /// Which of the session's conditions the predicate is.
    public enum Condition: String, Sendable, Hashable {
      /// ``SceneActivationConditions/can``.
      case can
      /// ``SceneActivationConditions/prefers``.
      case prefers
    }

    /// Which of the session's conditions it is.
    public let condition: Condition

    /// The whole predicate.
    public let predicate: ContentPredicate

    /// The part that made it hold: of alternatives the first that does, else all of it.
    public let part: ContentPredicate
  }
}

extension RoutingExplanation {
  /// An open session, as far as a decision asks for it.
  package struct Session: Sendable {
    package let name: Name
    package let role: UInt8
    package let rank: SessionRank
    package let conditions: SceneActivationConditions

    package init(
      _ name: Name, role: UInt8 = 0, _ rank: SessionRank,
      _ conditions: SceneActivationConditions = SceneActivationConditions()
    ) {
      self.name = name
      self.role = role
      self.rank = rank
      self.conditions = conditions
    }
  }

  /// How many candidates an explanation shows unless told otherwise.
  package static var candidateLimit: Int { 10 }

  /// Decides about an event by looking at each session once, without an index
  /// (semantics#routing-decision).
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
      // Sessions that merely can are of interest only as long as none prefers it.
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
        match: Match(of: identifier, rule, session.conditions), rank: session.rank)
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
      let second = sessions[1].rank
      if first.rank.state != second.state { return .state }
      return first.rank == second ? .identifier : .activation
    }

    private func precedes(_ left: Session, _ right: Session) -> Bool {
      if left.name == source || right.name == source { return left.name == source }
      return left.rank == right.rank
        ? left.name < right.name : left.rank < right.rank
    }
  }
}
