// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

extension Application {
  /// How many sessions have their saved states in the store only.
  nonisolated var storedStateCount: Int {
    core.directory.mailboxes.reduce(0) { count, mailbox in
      count
        + mailbox.state.withLock { state in
          (0..<state.entries.count).count { state.entries[$0].flags[.isStateStored] }
        }
    }
  }
}
