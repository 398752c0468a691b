// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

@testable import ProsceniumTestKit

/// Launches and events: which session gets them (3.3), and what follows.
extension LifecycleModel {
  // MARK: - Launch

  mutating func launch(_ launch: ModelCommand.Launch) {
    let hasConfigurations = setup.manifest?.values.contains { !$0.isEmpty } ?? false
    guard hasConfigurations || setup.asksForConfigurations else {
      return report("launch", "sceneLifecycleRequired")
    }
    isRunning = true
    for (label, row) in store {
      var session = ModelSession(row: row)
      if isLocked {
        session.row.activity = nil
        session.waitsForUnlock = true
      }
      sessions[label] = session
    }
    write("app.willFinishLaunching")
    write("app.didFinishLaunching(nil)")
    if setup.notes != .none { write("app.note(didFinishLaunching)") }
    deliverPendingDiscards()
    switch launch {
    case .background: break
    case .event(let event): route(event)
    case .icon:
      let pool = labels { $0.row.role == "windowApplication" }
      if let chosen = best(pool, source: nil), reconfigure(chosen) {
        show(chosen)
      } else {
        if refusalOfNewSession() != nil { doubts.append("a first window that cannot be made") }
        showNew()
      }
    }
  }

  private mutating func deliverPendingDiscards() {
    guard !pendingDiscards.isEmpty else { return }
    let names = pendingDiscards.sorted().map(\.description).joined(separator: ", ")
    write("app.didDiscardSceneSessions{\(names)}")
    discarded.formUnion(pendingDiscards)
    pendingDiscards = []
  }

  // MARK: - Events

  mutating func route(_ event: ModelEvent) {
    let identifier = identifier(of: event)
    let route = decide(identifier, source: event.source)
    lastRoute = route
    if sessions.contains(where: { $0.value.scene?.held != nil }),
      route.candidates.contains(where: isParked)
    {
      doubts.append("routing while a transition is held")
    }
    if route.rule == "forced" { write("log(forcedRoute)") }
    guard let chosen = route.chosen else {
      if refusalOfNewSession() != nil { doubts.append("an event needs a window too many") }
      return showNew(event.payload)
    }
    if sessions[chosen]?.scene?.extensions ?? 0 > 0 {
      doubts.append("an event during an extended restoration")
    }
    guard reconfigure(chosen) else {
      doubts.append("an event for a session without a configuration")
      return showNew(event.payload)
    }
    show(chosen, event.payload)
  }

  private func identifier(of event: ModelEvent) -> String? {
    switch event.payload {
    case .url(let url): url
    case .activity(let label): activities[label]?.identifier
    case .handoff, .notification, .shortcut: event.identifier
    case .share: nil
    }
  }

  private mutating func decide(_ identifier: String?, source: ModelLabel?) -> Route {
    let pool = labels { $0.end == nil && $0.row.role == "windowApplication" }
    func route(_ rule: String, _ candidates: [ModelLabel]) -> Route {
      Route(rule: rule, candidates: candidates, chosen: best(candidates, source: source))
    }
    guard !pool.isEmpty else { return route("new", []) }
    if !setup.supportsMultipleScenes { return route("single", pool) }
    guard let identifier else { return route("recent", pool) }
    func matching(_ condition: KeyPath<ModelConditions, ContentPredicate>) -> [ModelLabel] {
      pool.filter { sessions[$0]?.row.conditions[keyPath: condition].evaluate(identifier) ?? false }
    }
    let preferring = matching(\.prefers)
    if !preferring.isEmpty { return route("prefers", preferring) }
    let able = matching(\.can)
    if !able.isEmpty { return route("can", able) }
    if let quota = setup.sessionQuota, admitted.count >= quota { return route("forced", pool) }
    return route("new", [])
  }

  /// The best of several sessions (R-RT-6).
  mutating func best(_ candidates: [ModelLabel], source: ModelLabel?) -> ModelLabel? {
    func rank(_ label: ModelLabel) -> (Int, Int, Int) {
      (label == source ? 0 : 1, -state(of: label).rawValue, -lastActivation(of: label))
    }
    let order = candidates.sorted { left, right in
      let ranks = (rank(left), rank(right))
      guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
      return identifier(left) < identifier(right)
    }
    if order.count > 1, rank(order[0]) == rank(order[1]),
      order.prefix(2).contains(where: { identifier($0).isEmpty })
    {
      doubts.append("a tie between identifiers that only the runtime knows")
    }
    return order.first
  }

  /// The identifier of a session of the setup; empty for later ones.
  private func identifier(_ label: ModelLabel) -> String {
    sessions[label]?.row.identifier ?? ""
  }
}
