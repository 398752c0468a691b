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

  func difference() -> String? {
    let conditions: [SceneActivationConditions]
    do {
      conditions = try sessions.map { (session) throws(PredicateFormatError) in
        try session.conditions()
      }
    } catch {
      return "expected conditions, got \(error)"
    }
    let target = event.identifier
    var differences: [String] = []
    func compare(_ name: String, _ expected: String, _ found: String) {
      if !expected.utf8.elementsEqual(found.utf8) {
        differences.append("expected \(name) \(expected), got \(found)")
      }
    }
    compare("identifier", Self.text(expectation.identifier.value?.string), Self.text(target))
    let outcome = route(target, conditions)
    compare("rule", expectation.rule.rawValue, outcome.rule)
    compare("error", expectation.error?.rawValue ?? "none", outcome.error ?? "none")
    compare("session", label(chosen), label(outcome.chosen))
    // Found by asking every session, whatever index the router has.
    let found = allCandidates(outcome.rule, target, conditions)
    compare("candidates", labels(candidates), labels(found))
    let best = found.min(by: precedes)
    if best != outcome.chosen {
      differences.append(
        "expected the router to choose the first of its candidates, \(label(best)), "
          + "got \(label(outcome.chosen))")
    }
    return differences.isEmpty ? nil : differences.joined(separator: "; ")
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
        Self.handle(index), role: (session.role ?? .windowApplication).number,
        SessionRank(session.state.rank, lastActivated: UInt64(session.lastActivated.value)),
        conditions[index])
    }
    do throws(RoutingRefusal) {
      let choice =
        event.carrier == .activationRequest
        ? try router.chooseForActivation(target, role: event.soughtRole.number)
        : try router.choose(
          target, role: event.soughtRole.number, source: source.map(Self.handle))
      return Outcome(
        rule: choice.rule.rawValue, chosen: choice.session.map { Int($0.rawValue) })
    } catch {
      return Outcome(rule: Rule.error.rawValue, error: SceneError(error).code.suiteName)
    }
  }

  private static func handle(_ index: Int) -> SessionHandle {
    SessionHandle(rawValue: UInt32(truncatingIfNeeded: index))
  }

  // MARK: - The independent answer

  private func allCandidates(
    _ rule: String, _ target: String?, _ conditions: [SceneActivationConditions]
  ) -> Set<Int> {
    let pool = sessions.indices.filter {
      (sessions[$0].role ?? .windowApplication) == event.soughtRole
    }
    switch Rule(rawValue: rule) {
    case .single, .recent, .forced: return Set(pool)
    case .prefers: return Set(pool.filter { conditions[$0].prefers.evaluate(target ?? "") })
    case .can: return Set(pool.filter { conditions[$0].can.evaluate(target ?? "") })
    case .new, .error, nil: return []
    }
  }

  /// The order of R-RT-6, implemented independently.
  private func precedes(_ left: Int, _ right: Int) -> Bool {
    if left == source || right == source { return left == source }
    let (first, second) = (sessions[left], sessions[right])
    if first.state != second.state { return first.state.rank.rawValue < second.state.rank.rawValue }
    if first.lastActivated.value != second.lastActivated.value {
      return first.lastActivated.value > second.lastActivated.value
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

extension SuiteState {
  fileprivate var rank: SessionRank.State {
    switch self {
    case .active: .active
    case .inactive: .inactive
    case .background: .background
    case .archived: .archived
    }
  }
}

extension SuiteRole {
  /// The number by which the router knows it.
  fileprivate var number: UInt8 {
    UInt8(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0)
  }
}
