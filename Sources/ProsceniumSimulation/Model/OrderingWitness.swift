// SPDX-License-Identifier: Apache-2.0

package import Proscenium
import ProsceniumPrimitives

/// Watches that the lifecycle events of an application come in the promised order
/// (semantics#termination).
///
/// It knows what it has been told and nothing else, so that a mistake of the ledger or of a shard
/// cannot hide from it.
package struct OrderingWitness: Sendable {
  private struct Session: Sendable {
    var state = Scene.ActivationState.unattached
    var isConnected = false
    var isConfigured = false
    /// Told of `willConnect`, and not of `didDisconnect` yet.
    var isAttached = false
  }

  private static let legalEdges: Set<[Scene.ActivationState]> = [
    [.unattached, .background], [.background, .foregroundInactive],
    [.foregroundInactive, .foregroundActive], [.foregroundActive, .foregroundInactive],
    [.foregroundInactive, .background], [.background, .unattached],
    [.foregroundInactive, .unattached],
  ]

  /// How many discarded sessions are remembered.
  private static let memory = 4_096

  private var sessions: [SessionIdentifier: Session] = [:]
  private var discarded: Set<SessionIdentifier> = []
  private var discardedOrder: [SessionIdentifier] = []
  private var sceneNotifications: [LifecycleEvent.SceneNotification: Int] = [:]
  private var applicationNotifications: [LifecycleEvent.ApplicationNotification: Int] = [:]

  /// Creates a witness that has been told nothing.
  package init() {}

  /// Takes up an event.
  ///
  /// - Returns: What is wrong about it, or nil.
  package mutating func see(_ event: LifecycleEvent) -> String? {
    guard let identifier = event.session else { return see(application: event.kind) }
    if discarded.contains(identifier), event.kind.isCallback {
      return "\(event.kind) of session \(identifier), which was discarded (2.8 c)"
    }
    switch event.kind {
    case .configured:
      if sessions[identifier]?.isConnected == true {
        return "session \(identifier) was configured after its scene was made (2.8 a)"
      }
      sessions[identifier, default: Session()].isConfigured = true
    case .connected:
      if sessions[identifier]?.isConnected == true {
        return "session \(identifier) has two scenes (2.8 d)"
      }
      sessions[identifier, default: Session()].isConnected = true
    case .notification(let notification): return see(notification, identifier)
    case .transition(let old, let new): return see(identifier, from: old, to: new)
    case .disconnected:
      if sessions[identifier]?.isAttached == true {
        return "the scene of session \(identifier) was released before it was told (2.8 b)"
      }
      sessions[identifier] = Session()
    case .discarded:
      if sessions[identifier]?.isConnected == true {
        return "session \(identifier) was discarded with its scene connected (2.8 b)"
      }
      forget(identifier)
    case .left:
      if sessions[identifier]?.isConnected == true {
        return "session \(identifier) has left with its scene connected (2.8 b)"
      }
      // It can come back from the process that serves it.
      sessions[identifier] = nil
    default: break
    }
    return nil
  }

  private mutating func see(
    _ notification: LifecycleEvent.SceneNotification, _ identifier: SessionIdentifier
  ) -> String? {
    sceneNotifications[notification, default: 0] += 1
    let isAttached = sessions[identifier]?.isAttached ?? false
    guard sessions[identifier]?.isConnected == true,
      isAttached == (notification != .willConnect)
    else {
      return "\(notification) of session \(identifier), whose scene is not there for it (2.8 a)"
    }
    sessions[identifier]?.isAttached = notification != .didDisconnect
    return nil
  }

  private mutating func see(
    _ identifier: SessionIdentifier, from old: Scene.ActivationState,
    to new: Scene.ActivationState
  ) -> String? {
    guard Self.legalEdges.contains([old, new]), sessions[identifier]?.state ?? .unattached == old
    else { return "session \(identifier) went from \(old) to \(new) (semantics#legal-transitions)" }
    sessions[identifier, default: Session()].state = new
    return nil
  }

  private mutating func see(application kind: LifecycleEvent.Kind) -> String? {
    guard case .applicationNotification(let notification) = kind else { return nil }
    let connected = sessions.filter(\.value.isConnected)
    if notification == .willTerminate, let session = connected.keys.min() {
      return "the application ended before session \(session) was disconnected (2.8 e)"
    }
    applicationNotifications[notification, default: 0] += 1
    let causes = notification.causes
    guard !causes.isEmpty else { return nil }
    let caused = causes.reduce(0) { $0 + sceneNotifications[$1, default: 0] }
    return applicationNotifications[notification, default: 0] <= caused
      ? nil : "\(notification) of the application came before its cause (2.8 f)"
  }

  private mutating func forget(_ identifier: SessionIdentifier) {
    sessions[identifier] = nil
    discarded.insert(identifier)
    discardedOrder.append(identifier)
    if discardedOrder.count > Self.memory { discarded.remove(discardedOrder.removeFirst()) }
  }
}

extension ApplicationSettings {
  /// Ends the process with a message if the lifecycle events of the application that is made with
  /// these settings come in a wrong order.
  package mutating func watchOrder() {
    let witness = Guarded(OrderingWitness())
    let observer = LifecycleObserver { event in
      if let violation = witness.withLock({ $0.see(event) }) { preconditionFailure(violation) }
    }
    otherObservers.insert(observer, at: 0)
  }
}

extension LifecycleEvent.Kind {
  /// Whether it tells of a callback of a session's delegates.
  fileprivate var isCallback: Bool {
    switch self {
    case .connected, .configured, .notification, .transition, .captured, .snapshotTaken,
      .settledInBackground, .disconnected, .discarded, .left:
      true
    case .applicationNotification, .routed, .woken, .lost, .diagnosed, .failed: false
    }
  }
}

extension LifecycleEvent.ApplicationNotification {
  /// What of a scene it follows (R-AGG-1).
  fileprivate var causes: [LifecycleEvent.SceneNotification] {
    switch self {
    case .willEnterForeground: [.willEnterForeground]
    case .didBecomeActive: [.didActivate]
    case .willResignActive: [.willDeactivate]
    case .didEnterBackground: [.didEnterBackground, .didDisconnect]
    case .didFinishLaunching, .willTerminate: []
    }
  }
}
