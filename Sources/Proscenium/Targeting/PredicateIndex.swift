// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

/// The predicates of one kind, *can* or *prefers*, of all sessions of one role.
struct PredicateIndex {
  /// The sessions whose predicate always holds.
  private var everything = SessionSet()
  /// The predicates that are evaluated for every identifier.
  private(set) var residual: [SharedPredicate] = []
  /// The terms of each set of options.
  private var spaces: [TermSpace<TermContent>?] = [nil, nil, nil, nil]
  /// The predicates that no single term decides.
  private var shared: [ContentPredicate: SharedPredicate] = [:]
  /// Whether there are sessions that no term finds.
  private var isUnbounded: Bool { !everything.isEmpty || !residual.isEmpty }

  // MARK: - Reading

  /// Considers every session whose predicate holds.
  func look(for subject: Span<UInt8>, _ search: inout Search) {
    look(in: 0, for: subject, of: subject, &search)
    for options in 1..<4 where spaces[options] != nil {
      let folded = search.folded(ContentPredicate.Options(rawValue: UInt8(options)), subject)
      look(in: options, for: folded.span, of: subject, &search)
    }
    for shared in residual {
      search.consider(shared.sessions.best, if: shared.predicate, holdsFor: subject)
    }
    search.consider(everything.best)
  }

  /// Considers the sessions and hints of every term of an identifier.
  private func look(
    in options: Int, for text: Span<UInt8>, of subject: Span<UInt8>, _ search: inout Search
  ) {
    // In place: a copy of a space would count many references.
    spaces[options]?.look(for: text) { term in
      !term.content.hinted.isEmpty || search.wins(term.content.sessions.best)
    } _: { term in
      search.consider(term.content.sessions.best)
      guard !term.content.hinted.isEmpty, search.sees(term) else { return }
      for shared in term.content.hinted {
        search.consider(shared.sessions.best, if: shared.predicate, holdsFor: subject)
      }
    }
  }

  // MARK: - Changing

  /// Enters a session's predicate, and returns where; that is `current`, where the session is
  /// entered already, if the predicate is the same.
  mutating func insert(
    _ session: Ranked, _ predicate: ContentPredicate, _ current: Membership,
    _ identifier: @escaping SessionSet.Identifiers, _ report: TermReport? = nil
  ) -> Membership {
    let wasUnbounded = isUnbounded
    defer { report?.note(isUnbounded: isUnbounded, before: wasUnbounded, .entered) }
    let plan = RoutingPlan(predicate)
    let entry = plan.entry { find($0)?.content.hinted.count ?? 0 }
    switch entry {
    case .nothing: return .nowhere
    case .everything:
      if case .everything = current { return current }
      return .everything(everything.insert(session, identifier))
    case .terms(let references) where references.count == 1 && references[0].decides:
      let term = demand(references[0].term, report)
      if case .term(let known, _) = current, known === term { return current }
      return .term(term, term.content.sessions.insert(session, identifier))
    case .terms, .residual:
      if let known = shared[predicate] {
        if case .predicate(let same, _) = current, same === known { return current }
        let place = known.sessions.insert(session, identifier)
        updateTerms(of: known)
        return .predicate(known, place)
      }
      let new = SharedPredicate(predicate)
      shared[predicate] = new
      let place = new.sessions.insert(session, identifier)
      enter(new, entry, session, identifier, report)
      return .predicate(new, place)
    }
  }

  /// Takes note that a session has another rank.
  mutating func update(
    _ membership: Membership, _ session: Ranked, _ identifier: @escaping SessionSet.Identifiers
  ) {
    switch membership {
    case .nowhere: break
    case .everything(let place): everything.update(place, session)
    case .term(let term, let place): term.content.sessions.update(place, session)
    case .predicate(let shared, let place):
      shared.sessions.update(place, session)
      updateTerms(of: shared)
    }
  }

  /// Takes a session's predicate out, since the session has other ones, ends, or departs.
  mutating func remove(
    _ membership: Membership, _ change: TermChange = .left, _ report: TermReport? = nil
  ) {
    let wasUnbounded = isUnbounded
    defer { report?.note(isUnbounded: isUnbounded, before: wasUnbounded, change) }
    switch membership {
    case .nowhere: break
    case .everything(let place):
      everything.remove(place)
      if change == .departed, isUnbounded { report?.noteUnboundedDeparture() }
    case .term(let term, let place):
      term.content.sessions.remove(place)
      release(term, change, report)
    case .predicate(let shared, let place):
      shared.sessions.remove(place)
      if shared.sessions.isEmpty {
        leave(shared, change, report)
      } else {
        updateTerms(of: shared)
        if change == .departed, let report { reportDeparture(from: shared, report) }
      }
    }
  }

  /// Enters a predicate under its terms.
  private mutating func enter(
    _ shared: SharedPredicate, _ entry: RoutingPlan.Entry, _ session: Ranked,
    _ identifier: @escaping SessionSet.Identifiers, _ report: TermReport?
  ) {
    guard case .terms(let references) = entry else {
      shared.residualIndex = residual.count
      return residual.append(shared)
    }
    for reference in references {
      let term = demand(reference.term, report)
      if reference.decides {
        shared.entries.append((term, term.content.sessions.insert(session, identifier)))
      } else {
        term.content.hinted.append(shared)
        shared.entries.append((term, nil))
      }
    }
  }

  /// Tells the terms that a predicate decides which session is its best one now.
  private func updateTerms(of shared: SharedPredicate) {
    guard let best = shared.sessions.best else { return }
    for (term, place) in shared.entries {
      if let place { term.content.sessions.update(place, best) }
    }
  }

  /// Takes a predicate that no session has any more out of everything.
  private mutating func leave(
    _ shared: SharedPredicate, _ change: TermChange, _ report: TermReport?
  ) {
    for (term, place) in shared.entries {
      if let place {
        term.content.sessions.remove(place)
      } else {
        term.content.hinted.removeAll { $0 === shared }
      }
      release(term, change, report)
    }
    if let index = shared.residualIndex {
      residual[index] = residual[residual.count - 1]
      residual[index].residualIndex = index
      residual.removeLast()
      if change == .departed, isUnbounded { report?.noteUnboundedDeparture() }
    }
    self.shared[shared.predicate] = nil
  }

  /// One of the sessions that have a predicate departs.
  private func reportDeparture(from shared: SharedPredicate, _ report: TermReport) {
    if shared.residualIndex != nil { report.noteUnboundedDeparture() }
    for (term, _) in shared.entries { reportDeparture(from: term, report) }
  }

  private func reportDeparture(from term: Term<TermContent>, _ report: TermReport) {
    guard let space = spaces[Int(term.key.options.rawValue)] else { return }
    report.noteDeparture(of: term.key, space.trace(of: term))
  }

  // MARK: - Terms

  private func find(_ term: RoutingTerm) -> Term<TermContent>? {
    spaces[Int(term.options.rawValue)]?.find(term)
  }

  private mutating func demand(
    _ term: RoutingTerm, _ report: TermReport?
  ) -> Term<TermContent> {
    let options = Int(term.options.rawValue)
    if let known = spaces[options]?.find(term) { return known }
    let new = Term(term, TermContent())
    if spaces[options] == nil { spaces[options] = TermSpace() }
    let trace = spaces[options]?.insert(new)
    report?.note(term, trace ?? nil, .entered)
    return new
  }

  private mutating func release(
    _ term: Term<TermContent>, _ change: TermChange, _ report: TermReport?
  ) {
    let isLast = term.content.sessions.isEmpty && term.content.hinted.isEmpty
    let trace = isLast ? spaces[Int(term.key.options.rawValue)]?.remove(term) ?? nil : nil
    guard let report else { return }
    if trace == nil, change == .departed {
      // Others that stay are found by the same.
      reportDeparture(from: term, report)
    } else if isLast {
      report.note(term.key, trace, change)
    }
  }
}

/// What is found by a term.
struct TermContent {
  /// The sessions for which the term decides.
  var sessions = SessionSet()
  /// The predicates for which the term is only a hint: evaluated when it matches.
  var hinted: [SharedPredicate] = []
}

/// Where one predicate of a session is entered, and its place among the members there.
enum Membership: Equatable {
  /// The predicate never holds.
  case nowhere
  /// The sessions for which every identifier will do.
  case everything(UInt32)
  /// A term that decides alone.
  case term(Term<TermContent>, UInt32)
  /// A predicate with several terms, or with one that is only a hint.
  case predicate(SharedPredicate, UInt32)

  static func == (left: Membership, right: Membership) -> Bool {
    switch (left, right) {
    case (.nowhere, .nowhere): true
    case (.everything(let one), .everything(let other)): one == other
    case (.term(let one, let place), .term(let other, let otherPlace)):
      one === other && place == otherPlace
    case (.predicate(let one, let place), .predicate(let other, let otherPlace)):
      one === other && place == otherPlace
    default: false
    }
  }

  /// Tells whether the predicate holds for an identifier.
  func holds(for subject: Span<UInt8>) -> Bool {
    var folded = FoldedSubject()
    switch self {
    case .nowhere: return false
    case .everything: return true
    case .term(let term, _):
      if term.key.options.isEmpty { return term.matches(subject) }
      let text = folded.bytes(term.key.options, of: subject)
      return term.matches(text.span)
    case .predicate(let shared, _):
      return shared.predicate.evaluate(subject, &folded)
    }
  }
}

/// A predicate that one term does not decide, with all sessions that have it.
///
/// However many sessions have it, it is entered and evaluated once.
final class SharedPredicate {
  let predicate: ContentPredicate
  var sessions = SessionSet()
  /// The terms under which it is entered, each with its place among the term's members; nil where
  /// the term is only a hint.
  var entries: [(term: Term<TermContent>, place: UInt32?)] = []
  /// Its index among those that are evaluated for every identifier, if it is one of them.
  var residualIndex: Int?

  init(_ predicate: ContentPredicate) {
    self.predicate = predicate
  }
}
