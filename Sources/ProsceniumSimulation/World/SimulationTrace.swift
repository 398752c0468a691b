// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// What happened in a simulated world, line by line.
package final class SimulationTrace: Sendable {
  private let storage = Guarded<[String]>([])

  /// Makes an empty trace.
  package init() {}

  /// The lines: the step, the time by the simulated clock, and what happened.
  package var lines: [String] { storage.withLock { $0 } }

  /// Adds a line.
  func add(_ line: String) {
    storage.withLock { $0.append(line) }
  }
}
