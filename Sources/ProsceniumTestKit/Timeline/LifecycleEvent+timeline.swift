// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension LifecycleEvent {
  /// What a timeline says of the event after its subject, and what it belongs to; nil if it says
  /// nothing.
  var timelineText: (TimelineRecorder.Contents, String)? {
    switch kind {
    case .configured(let name): (.reasons, "configured(\(name.map(TimelineText.atom) ?? "nil"))")
    case .connected(let isNew): (.reasons, isNew ? "connected(new)" : "connected")
    case .notification(let notification): (.notifications, "note(\(notification.rawValue))")
    case .applicationNotification(let notification):
      (.notifications, "note(\(notification.rawValue))")
    case .snapshotTaken(let variant):
      (.snapshots, variant.map { "snapshot(\(TimelineText.atom($0)))" } ?? "snapshot")
    case .disconnected(let reason): (.reasons, "disconnected(\(reason.text))")
    case .discarded(let reason): (.reasons, "discarded(\(reason.text))")
    case .routed(let decision): (.routes, "routed(\(decision.rule))")
    case .woken(let wake): (.reasons, "woken(\(wake))")
    case .lost(let loss): (.diagnostics, "lost(\(loss.name))")
    case .diagnosed(let diagnostic): (.diagnostics, "log(\(diagnostic.name))")
    case .failed(let error): (.diagnostics, "failed(\(error.code))")
    case .transition, .captured, .settledInBackground: nil
    }
  }

  /// Whether the event is about the scene, rather than its session.
  var isAboutScene: Bool {
    switch kind {
    case .connected, .notification, .snapshotTaken, .disconnected: true
    default: false
    }
  }
}

extension LifecycleEvent.Reason {
  fileprivate var text: String {
    switch self {
    case .dismissed(.commit): "dismissed, commit"
    case .dismissed(.decline): "dismissed, decline"
    default: name.rawValue
    }
  }
}
