// SPDX-License-Identifier: Apache-2.0

public import Logging
import ProsceniumPrimitives

// From the launch to the end, around a closure.
extension Application {
  /// Launches an application, hands it to a closure, and ends it in order.
  ///
  /// The closure begins when the launch is over: the sessions that the store kept are there, and
  /// what the closure asks of the application is answered. It is the only place from which a
  /// program gets an application; delegates get it in their callbacks.
  ///
  /// ```swift
  /// let count = try await Application.withRunning(manifest: manifest) { application in
  ///   try await application.activateSceneSession()
  ///   return application.openSessions.count
  /// }
  /// ```
  ///
  /// The end begins when the closure has returned or thrown, when the calling task is cancelled, or
  /// with ``shutDown()``. Then every scene goes to the background, is captured and disconnected,
  /// the application delegate is told, and the store is brought up to date. If the closure still
  /// runs after that, it is cancelled and awaited.
  ///
  /// The closure runs once, as a child task that leaves the caller's actor, and not at all if the
  /// launch fails. There is no shared instance; several applications can live in one process.
  ///
  /// - Parameters:
  ///   - manifest: The kinds of scenes, the default one first.
  ///   - store: Where sessions are kept; this application's alone. It stays open.
  ///   - settings: Sizes, limits, and everything that could be random.
  ///   - log: Receives diagnostics.
  ///   - delegate: Makes the application delegate, on the application actor, at the launch.
  ///   - body: What is done while the application runs. What it keeps of the application beyond
  ///     its return answers `notRunning`.
  /// - Returns: What the closure returned.
  /// - Throws: If the launch fails, why: the store's error,
  ///   ``SceneError/Code/sceneLifecycleRequired`` if the manifest has no configuration and the
  ///   delegate chooses none (R-LEG-1), or `limitExceeded`. Otherwise the error of the closure; but
  ///   the store's error if the last changes cannot be written and the closure returned, or threw
  ///   only since the application ended (`CancellationError` or `notRunning`).
  public static func withRunning<Value: Sendable>(
    manifest: SceneManifest, store: any SessionStore = InMemorySessionStore(),
    settings: ApplicationSettings = .init(), log: Logger = Logger(label: "proscenium"),
    delegate: (@Sendable () -> any ApplicationDelegate)? = nil,
    _ body: @escaping @Sendable (Application) async throws -> Value
  ) async throws -> Value {
    let application = Application(
      manifest: manifest, store: store, settings: settings, log: log, delegate: delegate)
    return try await application.whileRunning(body)
  }

  /// Begins the end of the application, as ``withRunning(manifest:store:settings:log:delegate:_:)``
  /// describes it; returns at once.
  ///
  /// It can be called from any thread and from callbacks, more than once, also during the launch.
  /// What was accepted before is still carried out (2.8 e).
  public nonisolated func shutDown() {
    core.shutdown.give()
  }

  /// Runs the application around a closure; see
  /// ``withRunning(manifest:store:settings:log:delegate:_:)``.
  ///
  /// - Throws: Also `alreadyRun` if the application was run before, and `notRunning` if it was
  ///   abandoned before the launch was over.
  package nonisolated func whileRunning<Value: Sendable>(
    _ body: @escaping @Sendable (Application) async throws -> Value
  ) async throws -> Value {
    let outcome = await withTaskGroup(of: Part<Value>.self) { group in
      group.addTask { .application(await Result { try await self.run() }) }
      await core.launched()
      if core.hasOpened {
        group.addTask { .body(await Result { try await body(self) }) }
      }
      var outcome = RunOutcome<Value>()
      while let part = await group.next() {
        // The first one that ends, ends the other.
        group.cancelAll()
        outcome.note(part)
      }
      return outcome
    }
    return try outcome.get(core.log)
  }
}

/// What one of the two tasks of a running application came to.
private enum Part<Value: Sendable>: Sendable {
  case application(Result<Void, any Error>)
  case body(Result<Value, any Error>)
}

/// What both came to.
private struct RunOutcome<Value: Sendable>: Sendable {
  var body: Result<Value, any Error> = .failure(SceneError.notRunning)
  var end: Result<Void, any Error> = .success(())

  mutating func note(_ part: Part<Value>) {
    switch part {
    case .application(let result): end = result
    case .body(let result): body = result
    }
  }

  /// The value; of two errors that of the end only if the other one came of it.
  func get(_ log: Logger) throws -> Value {
    guard case .failure(let error) = end else { return try body.get() }
    guard case .failure(let own) = body, !Self.comesOfTheEnd(own) else { throw error }
    log.error("the application ended with an error", metadata: ["error": "\(error)"])
    throw own
  }

  private static func comesOfTheEnd(_ error: any Error) -> Bool {
    error is CancellationError || (error as? SceneError)?.code == .notRunning
  }
}
