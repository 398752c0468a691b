// SPDX-License-Identifier: Apache-2.0

/// What a plan brings to a scene on its way.
enum Delivery: Sendable {
  /// An event that was routed, or the activity of a request.
  case event(SceneEvent)
  /// The data of an announced activity has arrived (section 3.6).
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
