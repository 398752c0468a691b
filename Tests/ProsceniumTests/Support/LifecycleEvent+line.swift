// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension LifecycleEvent {
  /// The event as one line of a log: `S1 B→I`; nil for what UIKit posts.
  var line: String? {
    kind.text.map { "\(session?.label ?? "app") \($0)" }
  }

  /// What UIKit posts, as one line of a log: `S1 didActivate`; nil for everything else.
  var posted: String? {
    switch kind {
    case .notification(let notification): "\(session?.label ?? "app") \(notification)"
    case .applicationNotification(let notification): "app \(notification)"
    default: nil
    }
  }
}

extension LifecycleEvent.Kind {
  fileprivate var text: String? {
    switch self {
    case .configured: nil
    case .connected(let isNew): isNew ? "connected, new" : "connected"
    case .transition(let old, let new): "\(old.letter)→\(new.letter)"
    case .captured(let isChanged): isChanged ? "captured, changed" : "captured"
    case .disconnected(let reason): "disconnected: \(reason)"
    case .discarded(let reason): "discarded: \(reason)"
    case .left(let reason): "left: \(reason)"
    case .lost(.message(let message)): "lost message \(message.string)"
    case .lost(.event(.activity(let activity))): "lost activity \(activity.title ?? "")"
    case .lost(.event(let event)): "lost event \(event)"
    case .lost(.handoff(let activity)): "lost handoff \(activity.title ?? "")"
    case .diagnosed(let diagnostic): diagnostic.name
    case .woken(let wake): "woken \(wake)"
    case .failed(let error): "failed: \(error.code)"
    case .routed(let decision): "routed: \(decision.rule)"
    case .notification, .applicationNotification, .snapshotTaken, .settledInBackground: nil
    }
  }
}

extension AsyncStream<LifecycleEvent> {
  /// All lines of a stream that ends.
  var lines: [String] {
    get async {
      await reduce(into: []) { lines, event in
        if let line = event.line { lines.append(line) }
      }
    }
  }
}
