// SPDX-License-Identifier: Apache-2.0

import Logging
package import Proscenium

/// An application that runs until this object is gone.
package final class RunningApplication: Sendable {
  package let application: Application
  private let run: Task<Void, any Error>
  private let kept: (any AnyObject & Sendable)?

  /// Runs an application.
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - kept: What it needs as long as it runs.
  package init(_ application: Application, keeping kept: (any AnyObject & Sendable)? = nil) {
    self.application = application
    self.kept = kept
    // It has no end of its own: `deinit` cancels it.
    run = Task { try await application.run() }
  }

  deinit { run.cancel() }
}

extension Application {
  /// An application without a log, for delegates of one kind.
  package static func measured(
    store: any SessionStore = InMemorySessionStore(), settings: ApplicationSettings = .init(),
    _ makeDelegate: @escaping @Sendable () -> some SceneDelegate & SendableMetatype
  ) -> Application {
    Application(
      manifest: [SceneConfiguration("Measured", makeDelegate)], store: store, settings: settings,
      log: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() })
  }
}
