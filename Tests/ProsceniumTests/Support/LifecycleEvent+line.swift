// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension LifecycleEvent {
  /// The event as one line of a log: `S1 B→I`.
  var line: String {
    "\(session.label) \(kind.text)"
  }
}

extension LifecycleEvent.Kind {
  fileprivate var text: String {
    switch self {
    case .connected(let isNew): isNew ? "connected, new" : "connected"
    case .transition(let old, let new): "\(old.letter)→\(new.letter)"
    case .captured(let isChanged): isChanged ? "captured, changed" : "captured"
    case .disconnected(let reason): "disconnected: \(reason)"
    case .discarded(let reason): "discarded: \(reason)"
    case .lost(.message(let message)): "lost message \(message.string)"
    case .lost(.event(.activity(let activity))): "lost activity \(activity.title ?? "")"
    case .unhandled: "unhandled"
    case .failed(let error): "failed: \(error.code)"
    }
  }
}

extension AsyncStream<LifecycleEvent> {
  /// All lines of a stream that ends.
  var lines: [String] {
    get async { await reduce(into: []) { $0.append($1.line) } }
  }
}
