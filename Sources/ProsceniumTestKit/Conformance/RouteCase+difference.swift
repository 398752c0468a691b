// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
import Proscenium
import ProsceniumPredicate

extension RouteCase {
  /// What the router came to, in the terms of the file.
  private struct Outcome {
    var rule: String
    var chosen: Int?
    var error: String?
  }

  /// Runs the case and says what differs, or nil.
  func difference() -> String? {
    let conditions: [SceneActivationConditions]
    do {
      conditions = try conditionsOfSessions()
    } catch {
      return "expected conditions, got \(error)"
    }
    let target = event.identifier?.string
    var differences: [String] = []
    func compare(_ name: String, _ expected: String, _ found: String) {
      if !expected.utf8.elementsEqual(found.utf8) {
        differences.append("expected \(name) \(expected), got \(found)")
      }
    }
    compare("identifier", Self.text(expectation.identifier?.string), Self.text(target))
    let outcome = route(target, conditions)
    compare("rule", expectation.rule.rawValue, outcome.rule)
    compare("error", expectation.error?.rawValue ?? "none", outcome.error ?? "none")
    compare("session", label(expectation.chosen), label(outcome.chosen))
    // Found by asking every session, whatever index the router has.
    let candidates = candidates(outcome.rule, target, conditions)
    compare("candidates", labels(expectation.candidates), labels(candidates))
    let best = candidates.min(by: precedes)
    if best != outcome.chosen {
      differences.append(
        "expected the router to choose the first of its candidates, \(label(best)), "
          + "got \(label(outcome.chosen))")
    }
    return differences.isEmpty ? nil : differences.joined(separator: "; ")
  }

  private func conditionsOfSessions() throws(PredicateFormatError) -> [SceneActivationConditions] {
    var all: [SceneActivationConditions] = []
    for session in sessions {
      var conditions = SceneActivationConditions()
      if let can = session.can {
        conditions.can = try ContentPredicate(format: can.string, arguments: [])
      }
      if let prefers = session.prefers {
        conditions.prefers = try ContentPredicate(format: prefers.string, arguments: [])
      }
      all.append(conditions)
    }
    return all
  }

  // MARK: - The router

  private func route(_ target: String?, _ conditions: [SceneActivationConditions]) -> Outcome {
    // The n-th session in the order of identifiers gets the n-th identifier of the runtime.
    let order = sessions.indices.sorted { isIdentifierLess($0, $1) }
    var ranks = Array(repeating: 0, count: sessions.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    let router = ContentRouter(rules: rules) { [ranks] handle in
      SessionIdentifier(high: 0, low: UInt64(ranks[Int(handle.rawValue)]))
    }
    for (index, session) in sessions.enumerated() {
      router.insert(
        Self.handle(index), role: session.role.number,
        SessionStanding(session.state.rank, lastActivated: UInt64(session.lastActivated)),
        conditions[index])
    }
    do {
      let choice =
        event.carrier == .activationRequest
        ? try router.chooseForActivation(target, role: event.role.number)
        : try router.choose(
          target, role: event.role.number, source: event.source.map(Self.handle))
      return Outcome(
        rule: choice.rule.rawValue, chosen: choice.session.map { Int($0.rawValue) })
    } catch {
      return Outcome(rule: Rule.error.rawValue, error: error.code.suiteName)
    }
  }

  private static func handle(_ index: Int) -> SessionHandle {
    SessionHandle(rawValue: UInt32(truncatingIfNeeded: index))
  }

  // MARK: - The independent answer

  private func candidates(
    _ rule: String, _ target: String?, _ conditions: [SceneActivationConditions]
  ) -> Set<Int> {
    let pool = sessions.indices.filter { sessions[$0].role == event.role }
    switch Rule(rawValue: rule) {
    case .single, .recent, .forced: return Set(pool)
    case .prefers: return Set(pool.filter { conditions[$0].prefers.evaluate(target ?? "") })
    case .can: return Set(pool.filter { conditions[$0].can.evaluate(target ?? "") })
    case .new, .error, nil: return []
    }
  }

  /// The order of R-RT-6, implemented independently.
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    if left == event.source || right == event.source { return left == event.source }
    let (first, second) = (sessions[left], sessions[right])
    if first.state != second.state { return first.state.rank.rawValue < second.state.rank.rawValue }
    if first.lastActivated != second.lastActivated {
      return first.lastActivated > second.lastActivated
    }
    return isIdentifierLess(left, right)
  }

  private func isIdentifierLess(_ left: Int, _ right: Int) -> Bool {
    sessions[left].identifier.utf8.lexicographicallyPrecedes(sessions[right].identifier.utf8)
  }

  // MARK: - Texts

  private func label(_ index: Int?) -> String {
    index.map { sessions[$0].label } ?? "none"
  }

  private func labels(_ indices: Set<Int>) -> String {
    "{" + indices.sorted().map { sessions[$0].label }.joined(separator: ", ") + "}"
  }

  private static func text(_ identifier: String?) -> String {
    identifier.map { JSONValue.excerpt($0) } ?? "none"
  }
}

extension RouteCase.Role {
  fileprivate var number: UInt8 {
    switch self {
    case .windowApplication: 0
    case .windowExternalDisplay: 1
    case .windowExternalDisplayNonInteractive: 2
    }
  }
}

extension RouteCase.State {
  fileprivate var rank: SessionStanding.Rank {
    switch self {
    case .active: .active
    case .inactive: .inactive
    case .background: .background
    case .archived: .archived
    }
  }
}
