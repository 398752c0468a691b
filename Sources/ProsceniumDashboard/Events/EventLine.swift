// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A lifecycle event as the page lists it: when, about whom, and what in a few words.
struct EventLine: Sendable, Equatable {
  let time: Duration
  let session: SessionIdentifier?
  let text: String

  /// Creates the line of an event, or nil for one that is not listed.
  init?(_ event: LifecycleEvent) {
    guard let text = Self.text(event.kind) else { return nil }
    self.text = text
    session = event.session
    time = event.time
  }

  private static func text(_ kind: LifecycleEvent.Kind) -> String? {
    switch kind {
    case .connected(let isNew): isNew ? "connected, a new session" : "connected again"
    case .transition(let old, let new): "\(word(old)) → \(word(new))"
    case .disconnected(let reason): "disconnected: \(word(reason))"
    case .discarded(let reason): "discarded: \(word(reason))"
    case .woken: "woken"
    case .lost: "something that was accepted for it is lost"
    case .failed(let error): "a request failed: \(error.code.description)"
    case .applicationNotification(let notification): "application: \(notification.rawValue)"
    case .configured, .notification, .captured, .snapshotTaken, .settledInBackground, .routed,
      .diagnosed:
      nil
    }
  }

  private static func word(_ state: Scene.ActivationState) -> String {
    switch state {
    case .unattached: "unattached"
    case .foregroundActive: "active"
    case .foregroundInactive: "inactive"
    case .background: "background"
    }
  }

  private static func word(_ reason: LifecycleEvent.Reason) -> String {
    switch reason {
    case .dismissed: "closed"
    case .system: "by the system"
    case .pressure: "pressure"
    case .idle: "idle"
    case .restorationTimedOut: "its restoration took too long"
    case .termination: "the application ended"
    case .whileNotRunning: "while the application was not running"
    case .unresolvableConfiguration: "nothing makes its scene any more"
    case .destructionCondition: "a destruction condition"
    }
  }
}
