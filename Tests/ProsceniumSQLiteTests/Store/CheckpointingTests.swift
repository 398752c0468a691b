// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumSQLite

@Suite(.timeLimit(.minutes(10))) struct CheckpointingTests {
  @Test func `one that begins after the end leaves the connection alone, which is gone`()
    async throws
  {
    let store = try TestStore()
    let checkpointing = try Checkpointing(store.folder.path("store"))
    checkpointing.close()
    for _ in 0..<8 {
      await withCheckedContinuation { continuation in
        checkpointing.begin { continuation.resume() }
      }
    }
    try await store.store.close()
  }
}
