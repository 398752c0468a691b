// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

/// Collects lines from scenes of any shard.
final class CallLog: Sendable {
  // Not a mutex: the thread sanitizer would report races that are none.
  private let storage = Guarded<[String]>([])

  var lines: [String] { storage.withLock { $0 } }

  func append(_ line: String) {
    storage.withLock { $0.append(line) }
  }

  /// Returns the lines since the last time and forgets them.
  func take() -> [String] {
    storage.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}
