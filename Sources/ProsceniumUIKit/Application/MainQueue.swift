// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// What is done on the main actor after what runs on it now.
@MainActor
package enum MainQueue {
  /// A closure on its way; it is made and called on the main actor.
  @MainActor
  private final class Item {
    let body: () -> Void

    init(_ body: @escaping () -> Void) {
      self.body = body
    }
  }

  /// Calls a function when what runs now, and what was left for later before, has run.
  static func later(_ body: @escaping () -> Void) {
    let item = Item(body)
    DispatchQueue.main.async {
      MainActor.assumeIsolated { item.body() }
    }
  }

  /// Waits until what was left for later has run.
  package static func drain() async {
    await withCheckedContinuation { continuation in later { continuation.resume() } }
  }
}
