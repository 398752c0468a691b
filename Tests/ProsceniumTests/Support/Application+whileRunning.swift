// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

extension Application {
  /// Runs the application around a body, and ends it in order.
  nonisolated func whileRunning(_ body: @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup { group in
      group.addTask { try await self.run() }
      let result = await Result { try await body() }
      group.cancelAll()
      try await group.waitForAll()
      try result.get()
    }
  }
}
