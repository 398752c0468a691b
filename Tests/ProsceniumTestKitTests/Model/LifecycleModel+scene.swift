// SPDX-License-Identifier: Apache-2.0

@testable import ProsceniumTestKit

/// The callbacks of one scene: each line with what changes around it (R-ACT-3).
extension LifecycleModel {
  /// What the delegate of a scene does; nil if the scene has no delegate (R-CFG-3).
  func script(of label: ModelLabel) -> ModelScript? {
    guard let name = sessions[label]?.scene?.configuration.delegateClass else { return nil }
    return setup.scripts["\(label)"] ?? setup.scripts["class:\(name)"] ?? setup.scripts["*"]
      ?? ModelScript()
  }

  /// Calls a method of the delegate, if it is implemented.
  ///
  /// - Parameters:
  ///   - label: The session.
  ///   - method: The method's name in scripts.
  ///   - line: What is logged; the name unless given.
  /// - Returns: Whether the delegate implements it.
  @discardableResult
  mutating func call(_ label: ModelLabel, _ method: String, _ line: String? = nil) -> Bool {
    guard let script = script(of: label), !script.absent.contains(method) else { return false }
    write(label, line ?? method)
    run(script.actions[method] ?? [], of: label)
    return true
  }

  private mutating func run(_ actions: [ModelScript.Action], of label: ModelLabel) {
    for action in actions {
      switch action {
      case .setUserInfo(let value): setUserInfo(value, of: label)
      case .setConditions(let can, let prefers):
        if let can { persist(label, \.conditions.can, can) }
        if let prefers { persist(label, \.conditions.prefers, prefers) }
      case .extendRestoration:
        sessions[label]?.scene?.extensions += 1
        if sessions[label]?.scene?.extendedSince == nil {
          sessions[label]?.scene?.extendedSince = now
        }
      case .completeRestoration:
        if sessions[label]?.scene?.extensions == 0 {
          doubts.append("a restoration is completed that was not extended")
        }
        sessions[label]?.scene?.extensions -= 1
      }
    }
  }

  private mutating func enter(_ state: ModelState, _ label: ModelLabel) {
    log.edges.insert("\(self.state(of: label).letter)→\(state.letter)")
    sessions[label]?.scene?.state = state
  }

  /// Makes a scene and connects it (SEQ-CONNECT 2 to 5).
  mutating func connect(_ label: ModelLabel, _ payload: ModelPayload?) {
    guard let configuration = sessions[label]?.row.configuration else { return }
    let number = (sceneCounts[label] ?? 0) + 1
    sceneCounts[label] = number
    sessions[label]?.scene = ModelScene(number: number, configuration: configuration)
    log.edges.insert("—→U")
    write(label, "init")
    call(label, "willConnect", "willConnect({\(payload?.option ?? "")})")
    note(label, "willConnect")
    enter(.background, label)
    if let activity = sessions[label]?.row.activity {
      call(label, "restoreInteractionState", "restoreInteractionState(\(activity.label))")
    }
  }

  mutating func willEnterForeground(_ label: ModelLabel) {
    sessions[label]?.hasPendingRefresh = false
    call(label, "willEnterForeground")
    note(label, "willEnterForeground")
    enter(.inactive, label)
    log.mark(applicationState)
  }

  /// Makes a scene active, if its role allows that.
  mutating func becomeActive(_ label: ModelLabel) {
    guard let session = sessions[label], !ModelScene.staysInactive(session.row.role) else { return }
    enter(.active, label)
    lastActivation += 1
    persist(label, \.lastActivated, lastActivation)
    call(label, "didBecomeActive")
    note(label, "didActivate")
    log.mark(applicationState)
  }

  /// Lets an active scene become inactive; does nothing to others.
  mutating func resignActive(_ label: ModelLabel) {
    guard state(of: label) == .active else { return }
    call(label, "willResignActive")
    note(label, "willDeactivate")
    enter(.inactive, label)
    log.mark(applicationState)
  }

  mutating func enterBackground(_ label: ModelLabel) {
    enter(.background, label)
    call(label, "didEnterBackground")
    note(label, "didEnterBackground")
    log.mark(applicationState)
  }

  /// Sends a foreground scene to the background, with its state and a snapshot (SEQ-BACKGROUND).
  mutating func sendToBackground(_ label: ModelLabel) {
    resignActive(label)
    enterBackground(label)
    captureState(label)
    takeSnapshots(label)
  }

  /// Asks the delegate for its state (6.3).
  mutating func captureState(_ label: ModelLabel) {
    let method = "stateRestorationActivity"
    guard let script = script(of: label), !script.absent.contains(method) else { return }
    if isLocked { doubts.append("a capture while protected data is unavailable") }
    run(script.actions[method] ?? [], of: label)
    write(label, "\(method) -> \(script.captured ?? "nil")")
    guard let activity = script.captured else { return persist(label, \.activity, nil) }
    write(label, "activityWillSave(\(activity))")
    // The scene's other parts have had their say now, so the copy is taken.
    let copy = capture(activity)
    call(label, "didUpdate", "didUpdate(\(activity))")
    persist(label, \.activity, copy)
    guard let type = activities[activity]?.type, !setup.activityTypes.contains(type) else { return }
    store[label]?.activity = nil
    write("log(undeclaredActivityType)")
  }

  mutating func takeSnapshots(_ label: ModelLabel) {
    guard !setup.snapshotVariants.isEmpty else { return write(label, "snapshot") }
    for variant in setup.snapshotVariants { write(label, "snapshot(\(modelAtom(variant)))") }
  }

  /// Disconnects a scene from its session, which stays.
  mutating func disconnect(_ label: ModelLabel) {
    guard let scene = sessions[label]?.scene else { return }
    enter(.unattached, label)
    call(label, "didDisconnect")
    note(label, "didDisconnect")
    sessions[label]?.scene = nil
    let instance = ModelInstance(session: label, number: scene.number)
    disconnected.insert(instance)
    announcements = announcements.filter { $0.value != instance }
    log.mark(applicationState)
  }

  /// Gives a payload to a connected scene (3.5).
  mutating func deliver(_ payload: ModelPayload, to label: ModelLabel) {
    guard let scene = sessions[label]?.scene else { return }
    if scene.configuration.delegateClass == nil { doubts.append("an event without a delegate") }
    let isHandled =
      switch payload {
      case .url(let url): call(label, "openURLContexts", "openURLContexts{\(modelAtom(url))}")
      case .activity(let name): call(label, "continue", "continue(\(name))")
      case .shortcut(let type): call(label, "performAction", "performAction(\(modelAtom(type)))")
      case .share(let id): call(label, "userDidAcceptShare", "userDidAcceptShare(\(modelAtom(id)))")
      case .notification(let id): respond(to: id, label, scene)
      case .handoff(let type): announce(type, label, scene)
      }
    if !isHandled { write("log(unhandledEvent)") }
  }

  private mutating func respond(
    to notification: String, _ label: ModelLabel, _ scene: ModelScene
  ) -> Bool {
    log.touched.insert(label)
    write("app.didReceiveNotification(\(modelAtom(notification)), \(label)#\(scene.number))")
    return true
  }

  /// Announces a hand-off; a delegate need not care.
  mutating func announce(_ type: String, _ label: ModelLabel, _ scene: ModelScene) -> Bool {
    announcements[type] = ModelInstance(session: label, number: scene.number)
    call(label, "willContinue", "willContinue(\(modelAtom(type)))")
    return true
  }
}
