// SPDX-License-Identifier: Apache-2.0

/// What a plan brings to a scene on its way.
enum Delivery: Sendable {
  /// An event that was routed, or the activity of a request.
  case event(SceneEvent)
  /// The data of an announced activity has arrived (semantics#hand-off).
  case handoff(String, UserActivity)
  /// The data of an announced activity will not arrive.
  case handoffFailure(String, any Error & Sendable)
  /// The wakes of the session that are due.
  case wake

  /// How many announced activities are remembered, by an application and by a scene.
  static let handoffLimit = 1_024

  /// Whether it is told also to a scene that connects for it; of several wakes, those that its
  /// options do not have.
  var isAnnouncement: Bool {
    switch self {
    case .event(.handoff), .wake: true
    case .event, .handoff, .handoffFailure: false
    }
  }

  var event: SceneEvent? {
    if case .event(let event) = self { event } else { nil }
  }

  /// What is lost if it cannot be delivered; nil if nothing is.
  var loss: LifecycleEvent.Loss? {
    switch self {
    case .event(let event): .event(event)
    case .handoff(_, let activity): .handoff(activity)
    case .handoffFailure, .wake: nil
    }
  }
}

// A delivery reaches a connected scene's delegate (semantics#delivery).
extension Delivery {
  /// Delivers; returns what has to happen elsewhere before the plan can go on.
  func deliver(to scene: isolated Scene) -> SceneHold? {
    scene.isUnhandled = false
    switch self {
    case .event(.notification):
      if scene.context.rules.hasApplicationDelegate { return .application }
      scene.reportUnhandled()
      return nil
    case .event(.handoff(let type, _)):
      scene.ensureExtras().announce(type)
      scene.callee?.scene(scene, willContinueUserActivityWithType: type)
      return nil
    case .wake:
      Self.deliverWakes(to: scene)
      return nil
    case .event(let event): event.deliver(to: scene)
    case .handoff(let type, let activity):
      guard scene.extras?.takeAnnounced(type) == true else {
        scene.context.events.report(scene.persistentIdentifier, .lost(.handoff(activity)))
        return nil
      }
      scene.callee?.scene(scene, continue: activity)
    case .handoffFailure(let type, let error):
      guard scene.extras?.takeAnnounced(type) == true else { return nil }
      scene.callee?.scene(scene, didFailToContinueUserActivityWithType: type, error: error)
      // semantics#hand-off: the system reports what the delegate does not.
      if scene.isUnhandled || scene.callee == nil {
        scene.context.events.diagnose(.handoffFailed(type), scene.persistentIdentifier)
      }
      return nil
    }
    if scene.isUnhandled || scene.callee == nil { scene.reportUnhandled() }
    return nil
  }

  // MARK: - Wakes

  /// Takes out the first wake that is due, for a scene that connects.
  static func takeDueWake(of scene: isolated Scene) -> Wake? {
    let wake = scene.details.wakeList.due(by: scene.context.services.wakes.now).first
    return wake.flatMap { take($0.id, of: scene) }
  }

  /// Gives the delegate what is due now, one after the other, and captures what came of it.
  ///
  /// What it adds in between is left for the next time, and what it cancels is not given.
  private static func deliverWakes(to scene: isolated Scene) {
    let services = scene.context.services
    do throws(SceneError) {
      try scene.takeWithheldState()
    } catch {
      return scene.context.events.report(scene.persistentIdentifier, .failed(error))
    }
    for due in scene.details.wakeList.due(by: services.wakes.now) {
      guard !services.writer.isAbandoned, let wake = take(due.id, of: scene) else { continue }
      scene.isUnhandled = false
      scene.callee?.scene(scene, continue: wake.activity)
      if scene.isUnhandled || scene.callee == nil { scene.reportUnhandled() }
    }
    // In one change with the removal, so that both are durable or none is. A state that is refused
    // leaves the last good one, without the wake.
    if scene.marks[.isDirty] { StateCapture(isPrompt: true).run(in: scene) }
    services.wakes.set(scene.context.handle(scene.slot), scene.details.wakeList.next)
  }

  /// Takes a wake out; nil if it was cancelled.
  private static func take(_ id: Wake.ID, of scene: isolated Scene) -> Wake? {
    var list = scene.details.wakeList
    guard let wake = list[id], list.remove(id) else { return nil }
    scene.change { $0.wakeList = list }
    scene.lifecycle.owesCapture = true
    scene.marks[.isDirty] = true
    scene.context.events.report(scene.persistentIdentifier, .woken(id))
    return wake
  }
}

extension SceneEvent {
  fileprivate func deliver(to scene: isolated Scene) {
    switch self {
    case .url(let context): scene.callee?.scene(scene, openURLContexts: [context])
    case .activity(let activity): scene.callee?.scene(scene, continue: activity)
    case .shortcut(let item): scene.callee?.scene(scene, performActionFor: item)
    case .share(let metadata): scene.callee?.scene(scene, userDidAcceptShareWith: metadata)
    case .notification, .handoff: preconditionFailure("\(self) is not given to a scene alone")
    }
  }
}
