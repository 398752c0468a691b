// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// What a decision came to.
package struct RoutingChoice: Sendable, Hashable {
  package let rule: RoutingRule
  /// The session, or nil for a new one.
  package let session: SessionHandle?

  package init(_ rule: RoutingRule, _ session: SessionHandle?) {
    self.rule = rule
    self.session = session
  }
}

/// Every open session by what it prefers, what it can show, and its rank; the decisions of section
/// 3.3.
///
/// Sessions are found by what their predicates need, and where many match, the best one is at hand.
/// Only predicates that have no text to go by are evaluated one by one (``RoutingPlan``).
struct RoutingTable {
  /// The sessions of one role.
  struct Role {
    /// Those that can show everything, as nearly all can.
    var defaults = LazyLeader()
    /// The others.
    var others = LazyLeader()
    /// How many can show everything.
    var defaultCount = 0
    /// What the others can show.
    var can = PredicateIndex()
    /// What all of them prefer.
    var prefers = PredicateIndex()

    /// Takes note that a session can show everything, or not any more.
    mutating func count(_ difference: Int, _ change: TermChange, _ report: TermReport?) {
      let before = defaultCount > 0
      defaultCount += difference
      guard let report else { return }
      report.note(isUnbounded: defaultCount > 0, before: before, change)
      if change == .departed, defaultCount > 0 { report.noteUnboundedDeparture() }
    }
  }

  /// Where a session's predicates are entered.
  struct Memberships {
    var can = Membership.nowhere
    var prefers = Membership.nowhere
  }

  let rules: RoutingRules
  let identifier: @Sendable (SessionHandle) -> SessionIdentifier
  var ranks: RankTable
  var roles: ContiguousArray<Role> = []
  /// Of the sessions whose conditions are not the default ones.
  var memberships: [SessionHandle: Memberships] = [:]
  /// How many sessions of all roles are open.
  var openCount = 0
  /// Is told of the terms of the first role, for which all events are.
  private let observer: TermObserver?

  init(
    rules: RoutingRules, shardBits: Int, observer: TermObserver? = nil,
    identifier: @escaping @Sendable (SessionHandle) -> SessionIdentifier
  ) {
    self.rules = rules
    self.observer = observer
    self.identifier = identifier
    ranks = RankTable(shardBits: shardBits)
  }

  /// How many different predicates have to be evaluated for every identifier.
  var residualCount: Int {
    roles.reduce(0) { $0 + $1.can.residual.count + $1.prefers.residual.count }
  }

  // MARK: - Decisions

  /// Decides which session gets an event.
  mutating func choose(
    _ target: String?, role: UInt8, source: SessionHandle?, scope: RoutingScope = .all
  ) -> RoutingChoice {
    guard Int(role) < roles.count else { return RoutingChoice(.new, nil) }
    guard rules.supportsMultipleScenes, let target else {
      guard let best = bestOfPool(role) else { return RoutingChoice(.new, nil) }
      return choice(rules.supportsMultipleScenes ? .recent : .single, best, source, role, nil)
    }
    let text = target.utf8.span
    var search = Search(identifier)
    roles[Int(role)].prefers.look(for: text, &search)
    if let best = search.best { return choice(.prefers, best, source, role, text) }
    if scope == .preferring { return RoutingChoice(.new, nil) }
    if let best = best(role, canShowEverything: true) { search.consider(best) }
    roles[Int(role)].can.look(for: text, &search)
    if let best = search.best { return choice(.can, best, source, role, text) }
    if scope == .all, let quota = rules.sessionQuota, openCount >= quota,
      let best = bestOfPool(role)
    {
      return choice(.forced, best, source, role, text)
    }
    return RoutingChoice(.new, nil)
  }

  /// Decides which session an activation request without a session uses.
  mutating func chooseForActivation(
    _ target: String?, role: UInt8, source: SessionHandle?
  ) throws(RoutingRefusal) -> RoutingChoice {
    if !rules.supportsMultipleScenes, openCount > 0 { throw .multipleScenesNotSupported }
    if let target, Int(role) < roles.count {
      let text = target.utf8.span
      var search = Search(identifier)
      roles[Int(role)].prefers.look(for: text, &search)
      if let best = search.best { return choice(.prefers, best, source, role, text) }
    }
    if let quota = rules.sessionQuota, openCount >= quota { throw .sessionQuota(quota) }
    return RoutingChoice(.new, nil)
  }

  /// The best session of a role, whatever its conditions say.
  private mutating func bestOfPool(_ role: UInt8) -> Ranked? {
    let best = best(role, canShowEverything: true)
    guard let other = self.best(role, canShowEverything: false) else { return best }
    guard let best else { return other }
    return other.isBefore(best, identifier) ? other : best
  }

  /// The best of a role's sessions that can show everything, or of the others.
  private mutating func best(_ role: UInt8, canShowEverything: Bool) -> Ranked? {
    let side = Side(ranks, identifier, role: role, canShowEverything: canShowEverything)
    let place =
      canShowEverything
      ? roles[Int(role)].defaults.leader(side) : roles[Int(role)].others.leader(side)
    return place.map { ranks.ranked(at: $0) }
  }

  /// The choice by a rule, where the source comes first if it is a candidate too (R-RT-6 a).
  private func choice(
    _ rule: RoutingRule, _ best: Ranked, _ source: SessionHandle?, _ role: UInt8,
    _ text: Span<UInt8>?
  ) -> RoutingChoice {
    let best = SessionHandle(rawValue: best.handle)
    guard let source, source != best, let word = ranks[source], word.role == role else {
      return RoutingChoice(rule, best)
    }
    var isCandidate = true
    if let text {
      switch rule {
      case .prefers: isCandidate = memberships[source]?.prefers.holds(for: text) ?? false
      case .can:
        isCandidate =
          word.canShowEverything || memberships[source]?.can.holds(for: text) ?? false
      default: break
      }
    }
    return RoutingChoice(rule, isCandidate ? source : best)
  }

  // MARK: - Changes

  mutating func insert(
    _ handle: SessionHandle, role: UInt8, _ rank: SessionRank,
    _ conditions: SceneActivationConditions?
  ) {
    while roles.count <= Int(role) { roles.append(Role()) }
    openCount += 1
    let word = RankWord(
      rank, role: role, canShowEverything: conditions.map { $0.can == .true } ?? true)
    let place = ranks.set(handle, word)
    if word.canShowEverything { roles[Int(role)].count(1, .entered, report(.can, role)) }
    if let conditions, conditions != SceneActivationConditions() { enter(handle, word, conditions) }
    compete(place, word, rose: true)
  }

  mutating func setRank(_ handle: SessionHandle, _ rank: SessionRank) {
    guard let old = ranks[handle] else { return }
    let word = RankWord(
      rank, role: old.role, canShowEverything: old.canShowEverything)
    guard word != old else { return }
    compete(ranks.set(handle, word), word, rose: word.key > old.key)
    guard let known = memberships[handle] else { return }
    let ranked = Ranked(handle: handle.rawValue, key: word.key)
    roles[Int(word.role)].can.update(known.can, ranked, identifier)
    roles[Int(word.role)].prefers.update(known.prefers, ranked, identifier)
  }

  mutating func setConditions(_ handle: SessionHandle, _ conditions: SceneActivationConditions) {
    guard let old = ranks[handle] else { return }
    let word = RankWord(
      old.rank, role: old.role, canShowEverything: conditions.can == .true)
    let known = memberships[handle]
    enter(handle, word, conditions)
    if let known { leave(word.role, known, staying: memberships[handle]) }
    guard word != old else { return }
    // It changes sides, between those that can show everything and the others.
    roles[Int(word.role)].count(
      word.canShowEverything ? 1 : -1, word.canShowEverything ? .entered : .left,
      report(.can, word.role))
    let place = ranks.set(handle, word)
    compete(place, word, rose: true)
    compete(place, old, rose: false)
  }

  mutating func remove(_ handle: SessionHandle, _ change: TermChange = .left) {
    guard let old = ranks[handle] else { return }
    openCount -= 1
    if let known = memberships.removeValue(forKey: handle) {
      leave(old.role, known, staying: nil, change)
    }
    if old.canShowEverything {
      roles[Int(old.role)].count(-1, change, report(.can, old.role))
    }
    compete(ranks.remove(handle), old, rose: false)
  }

  /// Enters a session's predicates; `can` only where the session cannot show everything.
  private mutating func enter(
    _ handle: SessionHandle, _ word: RankWord, _ conditions: SceneActivationConditions
  ) {
    let known = memberships[handle] ?? Memberships()
    let ranked = Ranked(handle: handle.rawValue, key: word.key)
    var new = Memberships()
    if !word.canShowEverything {
      new.can = roles[Int(word.role)].can.insert(
        ranked, conditions.can, known.can, identifier, report(.can, word.role))
    }
    if conditions.prefers != .false {
      new.prefers = roles[Int(word.role)].prefers.insert(
        ranked, conditions.prefers, known.prefers, identifier, report(.prefers, word.role))
    }
    memberships[handle] = new.can == .nowhere && new.prefers == .nowhere ? nil : new
  }

  /// Takes out the predicates that do not stay.
  private mutating func leave(
    _ role: UInt8, _ old: Memberships, staying new: Memberships?, _ change: TermChange = .left
  ) {
    if old.can != new?.can {
      roles[Int(role)].can.remove(old.can, change, report(.can, role))
    }
    if old.prefers != new?.prefers {
      roles[Int(role)].prefers.remove(old.prefers, change, report(.prefers, role))
    }
  }

  /// What tells other processes of the terms of one kind, if there are any.
  private func report(_ kind: SharedTerm.Kind, _ role: UInt8) -> TermReport? {
    guard role == 0, let observer else { return nil }
    return TermReport(kind: kind, observer: observer)
  }

  /// Takes note of a session's rank among those of its role that can show everything, or among the
  /// others.
  private mutating func compete(_ place: Int, _ word: RankWord, rose: Bool) {
    let side = Side(
      ranks, identifier, role: word.role, canShowEverything: word.canShowEverything)
    if word.canShowEverything {
      roles[Int(word.role)].defaults.change(place, rose: rose, side)
    } else {
      roles[Int(word.role)].others.change(place, rose: rose, side)
    }
  }
}

/// The sessions of a role that can show everything, or those that cannot, in the order of R-RT-6.
private struct Side: TournamentOrder {
  let ranks: RankTable
  let identifier: @Sendable (SessionHandle) -> SessionIdentifier
  let role: UInt8
  let canShowEverything: Bool

  init(
    _ ranks: RankTable, _ identifier: @escaping @Sendable (SessionHandle) -> SessionIdentifier,
    role: UInt8, canShowEverything: Bool
  ) {
    self.ranks = ranks
    self.identifier = identifier
    self.role = role
    self.canShowEverything = canShowEverything
  }

  func isTaken(_ place: Int) -> Bool {
    guard let word = ranks.word(at: place) else { return false }
    return word.role == role && word.canShowEverything == canShowEverything
  }

  func isBefore(_ place: Int, _ other: Int) -> Bool {
    ranks.ranked(at: place).isBefore(ranks.ranked(at: other), identifier)
  }
}
