// SPDX-License-Identifier: Apache-2.0

import Logging
package import Proscenium

/// An application that runs until this object is gone.
package final class RunningApplication: Sendable {
  package let application: Application
  private let end: AsyncStream<Never>.Continuation
  private let kept: (any AnyObject & Sendable)?

  /// Launches an application whose delegates are of one kind.
  ///
  /// - Parameters:
  ///   - store: Where it keeps sessions.
  ///   - settings: Its settings.
  ///   - kept: What it needs as long as it runs.
  ///   - makeDelegate: Makes the delegate of each scene.
  /// - Throws: What the launch throws; nothing is expected.
  package init(
    store: any SessionStore = InMemorySessionStore(), settings: ApplicationSettings = .init(),
    keeping kept: (any AnyObject & Sendable)? = nil,
    _ makeDelegate: @escaping @Sendable () -> some SceneDelegate & SendableMetatype
  ) async throws {
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    let (applications, launched) = AsyncStream.makeStream(of: Application.self)
    // It has no end of its own: `deinit` lets the closure return.
    let run = Task {
      defer { launched.finish() }
      try await Application.withMeasured(store: store, settings: settings, makeDelegate) {
        launched.yield($0)
        for await _ in ended {}
      }
    }
    guard let application = await applications.first(where: { _ in true }) else {
      try await run.value
      throw BenchmarkFailure("the application ended before it was launched")
    }
    self.application = application
    self.end = end
    self.kept = kept
  }

  deinit { end.finish() }
}

extension Application {
  /// Runs an application without a log, for delegates of one kind, around a closure.
  package static func withMeasured<Value: Sendable>(
    store: any SessionStore = InMemorySessionStore(), settings: ApplicationSettings = .init(),
    _ makeDelegate: @escaping @Sendable () -> some SceneDelegate & SendableMetatype,
    _ body: @escaping @Sendable (Application) async throws -> Value
  ) async throws -> Value {
    try await withRunning(
      manifest: [SceneConfiguration("Measured", makeDelegate)], store: store, settings: settings,
      log: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }, body)
  }
}
