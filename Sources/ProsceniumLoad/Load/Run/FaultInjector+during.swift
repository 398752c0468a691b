// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

extension FaultInjector {
  /// Strikes an application while something else is done, and has ended when it returns.
  func run<Success: Sendable>(
    against application: Application, during body: () async throws -> Success
  ) async rethrows -> Success {
    try await withThrowingTaskGroup { group in
      // Ended by the cancellation, when the body has returned.
      group.addTask { await self.run(against: application) }
      let result = try await body()
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }
}
