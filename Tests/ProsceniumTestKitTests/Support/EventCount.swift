// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium

/// Counts what happens anywhere.
final class EventCount: Sendable {
  private let value = Guarded(0)

  var count: Int { value.withLock { $0 } }

  func add() {
    value.withLock { $0 += 1 }
  }
}
