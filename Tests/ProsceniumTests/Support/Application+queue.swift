// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

extension Application {
  /// Waits until so many items are in the queues of shards that are held.
  nonisolated func waitUntilQueued(_ count: Int) async {
    while core.directory.mailboxes.reduce(0, { $0 + $1.state.withLock { $0.queue.count } })
      < count
    {
      await Task.yield()
    }
  }

  /// Waits until a task waits for the launch.
  nonisolated func waitUntilLaunchIsAwaited() async {
    while core.gate.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
  }

  /// Calls a session and is queued at once, where `call` looks first whether it has to be.
  nonisolated func callBehindQueue(
    _ message: SceneMessage, _ session: SessionIdentifier
  ) async throws(SceneError) -> SceneMessage {
    try await commands.call(message, session)
  }
}
