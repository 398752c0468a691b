// SPDX-License-Identifier: Apache-2.0

import ProsceniumJSON
@testable import ProsceniumTestKit

/// Sequences that bring sessions to the foreground, and those that end them.
extension LifecycleModel {
  // MARK: - To the foreground

  /// Brings a session to the foreground and gives it a payload (R-FG-3, R-SW-1).
  ///
  /// - Parameters:
  ///   - label: An open session.
  ///   - payload: What it is given.
  ///   - requester: The session whose scene is not to give way, if another can.
  ///   - stopsInactive: Whether it stays in the inactive state.
  mutating func show(
    _ label: ModelLabel, _ payload: ModelPayload? = nil, requester: ModelLabel? = nil,
    stopsInactive: Bool = false
  ) {
    if isParked(label) { doubts.append("a command for a session that waits") }
    switch state(of: label) {
    case .active:
      if let payload { deliver(payload, to: label) }
    case .inactive:
      if let payload { deliver(payload, to: label) }
      if !stopsInactive { becomeActive(label) }
    case .background, .unattached:
      bringForward(label, payload, requester: requester, stopsInactive: stopsInactive)
    }
  }

  private mutating func bringForward(
    _ label: ModelLabel, _ payload: ModelPayload?, requester: ModelLabel?, stopsInactive: Bool
  ) {
    var plan = ModelForegroundPlan(payload: payload, stopsInactive: stopsInactive)
    plan.victim = victim(for: label, requester: requester)
    if plan.victim != nil, stopsInactive { doubts.append("a held opening with a victim") }
    if let victim = plan.victim { resignActive(victim) }
    if state(of: label) == .unattached {
      connect(label, payload)
      plan.payload = nil
      if case .handoff(let type) = payload { plan.announcement = type }
    }
    guard sessions[label]?.scene?.extensions == 0 else {
      if stopsInactive || plan.payload != nil || sessions[label]?.hasPendingRefresh == true {
        doubts.append("what a held transition carries")
      }
      if setup.notes != .none, plan.victim != nil { doubts.append("the net effect of a hold") }
      sessions[label]?.scene?.held = plan
      log.situations.insert(plan.victim == nil ? "held" : "held with a victim")
      return
    }
    finish(plan, label)
  }

  /// The session that gives way, if all places in the foreground are taken (R-ACTV-2).
  private mutating func victim(
    for label: ModelLabel, requester: ModelLabel?
  ) -> ModelLabel? {
    let others = foreground
    doubtPlaces(others.count)
    guard others.count >= setup.foregroundCapacity else { return nil }
    let candidates = others.count > 1 ? others.filter { $0 != requester } : others
    let order = candidates.sorted { lastActivation(of: $0) < lastActivation(of: $1) }
    if order.count > 1, lastActivation(of: order[0]) == lastActivation(of: order[1]) {
      doubts.append("a tie between victims")
    }
    return order.first
  }

  /// Who gives way to whom is open while a held transition may need the place.
  private mutating func doubtPlaces(_ taken: Int) {
    let held = sessions.values.filter { $0.scene?.held != nil }
    // Who comes next may get the place of one that ends, and then comes when that one has gone.
    let isPlaceLeft = held.contains { $0.end != nil }
    if isPlaceLeft || !held.isEmpty && taken + held.count >= setup.foregroundCapacity {
      doubts.append("places in the foreground while a transition is held")
    }
  }

  func lastActivation(of label: ModelLabel) -> Int { sessions[label]?.row.lastActivated ?? 0 }

  /// Carries out the rest of a transition to the foreground.
  mutating func finish(_ plan: ModelForegroundPlan, _ label: ModelLabel) {
    willEnterForeground(label)
    if let payload = plan.payload { deliver(payload, to: label) }
    if !plan.stopsInactive { becomeActive(label) }
    // Nothing orders the newcomer's announcement and the end of the other scene (2.8).
    var rest: [(inout Self) -> Void] = []
    if let type = plan.announcement {
      rest.append { model in
        if let scene = model.sessions[label]?.scene { _ = model.announce(type, label, scene) }
      }
    }
    if let victim = plan.victim {
      log.situations.insert("hand-over")
      rest.append { $0.retire(victim) }
    }
    if !rest.isEmpty { unordered(rest) }
  }

  /// Sends the scene that gave way on to the background.
  mutating func retire(_ victim: ModelLabel) {
    enterBackground(victim)
    captureState(victim)
    takeSnapshots(victim)
  }

  // MARK: - New sessions

  /// Makes a session and lets the application choose its configuration (SEQ-CONNECT 1).
  ///
  /// - Returns: The session; nil if the choice failed.
  mutating func makeSession(role: String, _ payload: ModelPayload?) -> ModelLabel? {
    highestLabel += 1
    let label = ModelLabel(highestLabel)
    log.touched.insert(label)
    let first = setup.firstConfiguration(of: role)
    if first == nil { doubts.append("a role that the manifest does not have") }
    let row = ModelRow(role: role, configuration: first ?? .notFound(nil))
    sessions[label] = ModelSession(row: row)
    store[label] = row
    guard setup.asksForConfigurations else { return label }
    write("app.configurationForConnecting(\(label), {\(payload?.option ?? "")})")
    guard let rule = setup.configurationRules.first(where: { $0.applies(to: label, payload) })
    else { return label }
    configured.insert(label)
    guard (rule.role ?? role) == role else {
      sessions[label] = nil
      store[label] = nil
      doubtPlaces(foreground.count)
      report("connect", "roleMismatch")
      return nil
    }
    let chosen = setup.configuration(named: rule.name, role: role)
    if chosen == nil { write("log(configurationNotFound)") }
    persist(label, \.configuration, chosen ?? .notFound(rule.name))
    return label
  }

  /// Makes a session and brings it to the foreground.
  mutating func showNew(
    role: String = "windowApplication", _ payload: ModelPayload? = nil,
    requester: ModelLabel? = nil
  ) {
    guard let label = makeSession(role: role, payload) else { return }
    show(label, payload, requester: requester)
  }

  /// The configuration with which a saved session connects today; nil if there is none (R-CFG-6).
  func resolve(_ row: ModelRow) -> ModelConfiguration? {
    let saved = row.configuration
    if let name = saved.name, let today = setup.configuration(named: name, role: row.role) {
      return today
    }
    guard let name = saved.delegateClass, setup.knowsClass(name) else { return nil }
    return saved
  }

  /// Gives an archived session the configuration of today, or discards it.
  ///
  /// - Returns: Whether the session can connect.
  mutating func reconfigure(_ label: ModelLabel) -> Bool {
    guard let session = sessions[label], session.scene == nil else { return true }
    guard let today = resolve(session.row) else {
      discard(label)
      return false
    }
    sessions[label]?.row.configuration = today
    return true
  }

  // MARK: - Ends

  /// Closes a session for good (SEQ-DESTROY); one that restores itself when that is over.
  mutating func destroy(_ label: ModelLabel, _ end: ModelEnd) {
    if let plan = sessions[label]?.scene?.held { return wait(for: plan, label, end) }
    if isParked(label) { doubts.append("a command for a session that waits") }
    if case .request(let reason) = end { discardReasons[label] = reason }
    resignActive(label)
    disconnect(label)
    discard(label)
  }

  /// Decides the end of a session that is open until its restoration is over.
  private mutating func wait(
    for plan: ModelForegroundPlan, _ label: ModelLabel, _ end: ModelEnd
  ) {
    if plan.victim != nil { doubts.append("who gave way to a session that ends") }
    if setup.notes != .none { doubts.append("the net effect of two commands") }
    log.situations.insert("an end waits")
    log.touched.insert(label)
    sessions[label]?.end = end
    sessions[label]?.hasPendingRefresh = false
  }

  /// Tells the application that a session without a scene is gone.
  mutating func discard(_ label: ModelLabel) {
    log.edges.insert("archived→discarded")
    log.touched.insert(label)
    leaving[label] = sessions.removeValue(forKey: label)
    discarded.insert(label)
    write("app.didDiscardSceneSessions{\(label)}")
    leaving = [:]
    store[label] = nil
  }

  /// Ends the process: memory is lost, the store stays.
  mutating func endProcess() {
    isRunning = false
    sessions = [:]
    announcements = [:]
  }

  mutating func setUserInfo(_ value: JSONValue, of label: ModelLabel) {
    guard value.isPropertyList else { return report("userInfo", "notPropertyList") }
    persist(label, \.userInfo, value)
  }
}
