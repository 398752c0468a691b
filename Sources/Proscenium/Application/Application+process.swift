// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

// For a test that plays the process that an application runs in.
extension Application {
  /// The task that runs an application.
  package typealias RunTask = Task<Void, any Error>

  /// Runs the application in a task of its own, which the caller keeps and awaits.
  ///
  /// - Parameter whenEnded: Called when ``run()`` has returned or failed.
  /// - Returns: The task; it fails with the error of ``run()``.
  package nonisolated func start(
    whenEnded: @escaping @Sendable () -> Void
  ) -> RunTask {
    Spawner(executor: core.settings.taskExecutor).start {
      defer { whenEnded() }
      try await self.run()
    }
  }

  /// Whether the launch has restored the sessions; before, look-ups find none.
  package nonisolated var isRestored: Bool { core.stage.load(ordering: .acquiring) != .new }

  /// Whether ``run()`` has ended, or is about to without having been cancelled.
  package nonisolated var isOver: Bool {
    core.gate.withLock { $0.phase == .ended || $0.ending != .orderly }
  }
}
