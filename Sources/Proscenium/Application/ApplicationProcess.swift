// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization

/// The process in which an application runs, for a test that plays it.
///
/// It starts the application, moves the clock, and submits what else only asynchronous functions
/// do: for tests that need several commands in flight together, in an order that they know.
package struct ApplicationProcess: Sendable {
  let application: Application

  private var core: ApplicationCore { application.core }

  /// The task that runs an application.
  package typealias RunTask = Task<Void, any Error>

  /// Runs the application in a task of its own, which the caller keeps and awaits.
  ///
  /// It is no child task: the test that starts the application goes on, kills it and launches the
  /// next one, and awaits it then.
  ///
  /// - Parameter whenEnded: Called when ``Application/run()`` has returned or failed.
  /// - Returns: The task; it fails with the error of ``Application/run()``.
  package func start(whenEnded: @escaping @Sendable () -> Void) -> RunTask {
    Spawner(executor: core.settings.taskExecutor).start {
      defer { whenEnded() }
      try await application.run()
    }
  }

  /// Returns when the launch is over, or has failed; for who launches it by ``Application/run()``.
  package func launched() async {
    await core.launched()
  }

  /// Ends the application as if its process had been ended: no callback comes any more, nothing
  /// more is written, and ``Application/run()`` returns.
  package func abandon() {
    core.abandon()
  }

  /// Submits a change of what a session holds, as ``Application/updateSession(_:_:)`` makes it.
  package func submitUpdate(
    of session: SessionIdentifier, needsState: Bool = true,
    onFailure: (@Sendable (SceneError) -> Void)? = nil,
    _ change: @escaping @Sendable (inout SceneSession) -> Void
  ) {
    do throws(SceneError) {
      let handle = try core.update(
        session, SessionUpdate(ticket: nil, needsState ? .needed : .untouched, change))
      core.directory.mailbox(handle).ring()
    } catch {
      onFailure?(error)
    }
  }

  /// Takes notice of a clock that was moved: what is due by now takes its place in the order.
  package func submitTime() {
    core.postDeadlines()
    core.sharedPressure.look()
    core.postWakes()
  }

  /// Gives a session a place among those that became active, as if that had happened.
  ///
  /// - Parameters:
  ///   - counter: The activation counter's value; at most the largest one that there was.
  ///   - session: The session; one that is not open is ignored.
  package func seed(lastActivated counter: UInt64, of session: SessionIdentifier) {
    guard let handle = core.directory.find(session) else { return }
    core.gate.withLock { gate in
      gate.ledger[handle].lastActivated = counter
      gate.rank(handle)
    }
    core.writer.write(.activate(lastActivated: counter), of: session)
  }
}

extension Application {
  /// The process that it runs in.
  package nonisolated var process: ApplicationProcess { ApplicationProcess(application: self) }
}
