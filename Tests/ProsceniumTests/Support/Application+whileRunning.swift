// SPDX-License-Identifier: Apache-2.0

import Proscenium

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

extension Result where Failure == any Error {
  init(catching body: () async throws -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
