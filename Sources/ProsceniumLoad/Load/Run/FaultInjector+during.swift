// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSimulation

extension FaultInjector {
  /// Strikes an application while something else is done, and has ended when it returns.
  ///
  /// What is due at the beginning has struck before the body begins.
  func run<Success: Sendable>(
    against application: Application, during body: () async throws -> Success
  ) async rethrows -> Success {
    let (ready, whoIsReady) = AsyncStream.makeStream(of: Never.self)
    return try await withThrowingTaskGroup { group in
      // Ended by the cancellation, when the body has returned.
      group.addTask { await self.run(against: application) { whoIsReady.finish() } }
      for await _ in ready {}
      let result = try await body()
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }
}
