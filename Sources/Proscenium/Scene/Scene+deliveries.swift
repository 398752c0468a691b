// SPDX-License-Identifier: Apache-2.0

// Events reach a connected scene's delegate (section 3.5).
extension Scene {
  /// Delivers; returns what has to happen elsewhere before the plan can go on.
  func deliver(_ delivery: Delivery) -> SceneHold? {
    isUnhandled = false
    switch delivery {
    case .event(.notification):
      if context.rules.hasApplicationDelegate { return .application }
      reportUnhandled()
      return nil
    case .event(.handoff(let type, _)):
      announce(type)
      callee?.scene(self, willContinueUserActivityWithType: type)
      return nil
    case .wake:
      deliverWakes()
      return nil
    case .event(let event): deliver(event)
    case .handoff(let type, let activity):
      guard isAnnounced(type) else {
        context.events.report(persistentIdentifier, .lost(.handoff(activity)))
        return nil
      }
      callee?.scene(self, continue: activity)
    case .handoffFailure(let type, let error):
      guard isAnnounced(type) else { return nil }
      callee?.scene(self, didFailToContinueUserActivityWithType: type, error: error)
      // Section 3.6: the system reports what the delegate does not.
      if isUnhandled || callee == nil {
        context.events.diagnose(.handoffFailed(type), persistentIdentifier)
      }
      return nil
    }
    if isUnhandled || callee == nil { reportUnhandled() }
    return nil
  }

  private func deliver(_ event: SceneEvent) {
    switch event {
    case .url(let context): callee?.scene(self, openURLContexts: [context])
    case .activity(let activity): callee?.scene(self, continue: activity)
    case .shortcut(let item): callee?.scene(self, performActionFor: item)
    case .share(let metadata): callee?.scene(self, userDidAcceptShareWith: metadata)
    case .notification, .handoff: preconditionFailure("\(event) is not given to a scene alone")
    }
  }

  /// Notes that data of an activity is to come; another scene of the session cannot take it.
  func announce(_ activityType: String) {
    let extras = ensureExtras()
    if extras.announced.count >= Delivery.handoffLimit, let any = extras.announced.min() {
      extras.announced.remove(any)
    }
    extras.announced.insert(activityType)
  }

  private func isAnnounced(_ activityType: String) -> Bool {
    extras?.announced.remove(activityType) != nil
  }
}

extension Scene {
  /// Tells that the delegate does not have the method that was just called.
  ///
  /// For a delegate that has all methods and decides at run time which of them it has; the default
  /// implementations say the same.
  package func leaveUnhandled() {
    isUnhandled = true
  }
}
