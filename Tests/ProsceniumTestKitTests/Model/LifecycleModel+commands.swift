// SPDX-License-Identifier: Apache-2.0

import ProsceniumPredicate

@testable import ProsceniumTestKit

/// What each command does.
extension LifecycleModel {
  mutating func carryOut(_ command: ModelCommand) {
    switch command {
    case .launch(let launch): self.launch(launch)
    case .home, .open, .newWindow, .close, .interrupt, .resume, .background: carryOutUser(command)
    case .disconnect, .pressure, .kill, .terminate, .discardWhileDown, .lock, .unlock, .tick,
      .advance:
      carryOutSystem(command)
    case .activate, .activateRole, .refresh, .destroy, .drop: carryOutRequest(command)
    case .event(let event): route(event)
    case .handoffPayload(let type, let activity): finishHandoff(type, activity)
    case .handoffFail(let type): finishHandoff(type, nil)
    case .backup(let name): backups[name] = store
    case .restore(let name): store = backups[name] ?? [:]
    case .setUserInfo(let label, let value): setUserInfo(value, of: label)
    case .setActivity(let label, let activity): setActivity(activity, of: label)
    case .setConditions(let label, let can, let prefers): setConditions(label, can, prefers)
    case .completeRestoration(let label): completeRestoration(label)
    case .mutateActivity(let label, let userInfo): activities[label]?.userInfo = userInfo
    case .mutateConfiguration: break
    case .evaluate(let predicate, let subject): evaluate(predicate, subject)
    case .parallel(let commands): parallel(commands)
    }
  }

  // MARK: - The user

  private mutating func carryOutUser(_ command: ModelCommand) {
    switch command {
    case .home:
      if sessions.values.contains(where: { $0.scene?.held != nil }) {
        doubts.append("going home while a transition is held")
      }
      let scenes = foreground
      if !scenes.isEmpty { forEachUnordered(scenes) { $0.sendToBackground($1) } }
    case .open(let label, let hold): open(label, hold: hold)
    case .newWindow:
      if refusalOfNewSession() != nil { doubts.append("a window that cannot be made") }
      showNew()
    case .close(let label): close(label)
    case .interrupt(let label): resignActive(label)
    case .resume(let label): becomeActive(label)
    case .background(let label):
      if isParked(label) { doubts.append("a command for a session that waits") }
      sendToBackground(label)
    default: break
    }
  }

  private mutating func open(_ label: ModelLabel, hold: Bool) {
    guard admitted[label] != nil else { return report("activate", "requestDenied") }
    guard reconfigure(label) else {
      doubts.append("opening a session without a configuration")
      return showNew()
    }
    show(label, stopsInactive: hold)
  }

  private mutating func close(_ label: ModelLabel) {
    guard admitted[label] != nil else { return report("destroy", "requestDenied") }
    guard setup.exitsWithLastSession, admitted.count == 1 else { return destroy(label, .close) }
    let isSeen = state(of: label) != .background
    if state(of: label) == .unattached || isSeen && setup.notes != .none {
      doubts.append("the last session is closed without a scene, or with notifications")
    }
    if sessions.keys.contains(where: isParked) { doubts.append("an exit while something waits") }
    resignActive(label)
    disconnect(label)
    write("process.exit")
    endProcess()
  }

  // MARK: - Requests

  private mutating func carryOutRequest(_ command: ModelCommand) {
    switch command {
    case .activate(let label?, let activity, let requester):
      activate(label, activity.map(ModelPayload.activity), requester)
    case .activate(nil, let activity, let requester):
      activateRole("windowApplication", activity, requester)
    case .activateRole(let role, let activity, let requester):
      activateRole(role, activity, requester)
    case .refresh(let label):
      guard sessions[label]?.end == nil else { return }
      if isParked(label) { doubts.append("a command for a session that waits") }
      if sessions[label] != nil, !state(of: label).isForeground {
        sessions[label]?.hasPendingRefresh = true
      }
    case .destroy(let label, let reason): destroy(label, reason)
    case .drop(let activity): drop(activity)
    default: break
    }
  }

  private mutating func activate(
    _ label: ModelLabel, _ payload: ModelPayload?, _ requester: ModelLabel?
  ) {
    guard admitted[label] != nil else { return report("activate", "requestDenied") }
    guard reconfigure(label) else { return doubts.append("activation without a configuration") }
    show(label, payload, requester: requester)
  }

  /// An activation without a session (2.6(3)): only *prefers* leads to one that exists.
  private mutating func activateRole(
    _ role: String, _ activity: String?, _ requester: ModelLabel?
  ) {
    let payload = activity.map(ModelPayload.activity)
    let refusal = refusalOfNewSession()
    if refusal == "multipleScenesNotSupported" {
      return report("activate", "multipleScenesNotSupported")
    }
    if let activity, let identifier = activities[activity]?.identifier {
      let candidates = labels {
        $0.end == nil && $0.row.role == role && $0.row.conditions.prefers.evaluate(identifier)
      }
      if let chosen = best(candidates, source: requester) {
        if best(candidates, source: nil) != chosen { doubts.append("the requester breaks a tie") }
        return activate(chosen, payload, requester)
      }
    }
    if let refusal { return report("activate", refusal) }
    showNew(role: role, payload, requester: requester)
  }

  /// Why no new session can be made; nil if one can.
  func refusalOfNewSession() -> String? {
    if !setup.supportsMultipleScenes, !admitted.isEmpty { return "multipleScenesNotSupported" }
    if let quota = setup.sessionQuota, admitted.count >= quota { return "requestDenied" }
    return nil
  }

  private mutating func destroy(_ label: ModelLabel, _ reason: String) {
    let isOnly = !setup.supportsMultipleScenes && admitted.count == 1
    guard admitted[label] != nil, !isOnly else { return report("destroy", "requestDenied") }
    if setup.exitsWithLastSession, admitted.count == 1 {
      doubts.append("the last session is destroyed by a request")
    }
    destroy(label, .request(reason))
  }

  /// A drop always makes a new session (6.1).
  private mutating func drop(_ activity: String) {
    let refusal = refusalOfNewSession()
    guard let type = activities[activity]?.type, setup.activityTypes.contains(type) else {
      if refusal != nil { doubts.append("a drop with two faults") }
      return write("log(undeclaredActivityType)")
    }
    if let refusal { return report("activate", refusal) }
    showNew(.activity(activity))
  }

  // MARK: - Scenes and sessions

  private mutating func finishHandoff(_ type: String, _ activity: String?) {
    guard let instance = announcements.removeValue(forKey: type) else {
      return doubts.append("a hand-off that no scene waits for")
    }
    let label = instance.session
    if isParked(label) { doubts.append("a command for a session that waits") }
    if let activity {
      deliver(.activity(activity), to: label)
    } else {
      call(label, "didFailToContinue", "didFailToContinue(\(modelAtom(type)))")
    }
  }

  private mutating func setActivity(_ activity: String?, of label: ModelLabel) {
    if isLocked { doubts.append("an activity is set while protected data is unavailable") }
    if let activity, let type = activities[activity]?.type, !setup.activityTypes.contains(type) {
      doubts.append("an undeclared activity is set")
    }
    persist(label, \.activity, activity.map { capture($0) })
  }

  private mutating func setConditions(
    _ label: ModelLabel, _ can: ModelPredicate?, _ prefers: ModelPredicate?
  ) {
    for case .refused(let code)? in [can, prefers] { return report("predicate", code) }
    if case .predicate(let predicate)? = can { persist(label, \.conditions.can, predicate) }
    if case .predicate(let predicate)? = prefers {
      persist(label, \.conditions.prefers, predicate)
    }
  }

  private mutating func completeRestoration(_ label: ModelLabel) {
    guard let scene = sessions[label]?.scene, scene.extensions > 0 else {
      return doubts.append("a restoration is completed that was not extended")
    }
    sessions[label]?.scene?.extensions -= 1
    guard scene.extensions == 1, let plan = scene.held else { return }
    sessions[label]?.scene?.held = nil
    log.situations.insert(plan.victim == nil ? "completed" : "completed with a victim")
    finish(plan, label)
    if let end = sessions[label]?.end { destroy(label, end) }
  }

  private mutating func evaluate(_ predicate: ModelPredicate, _ subject: String) {
    switch predicate {
    case .refused(let code): report("predicate", code)
    case .predicate(let predicate): write("eval(\(predicate.evaluate(subject)))")
    }
  }
}
