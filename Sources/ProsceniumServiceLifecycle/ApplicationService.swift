// SPDX-License-Identifier: Apache-2.0

public import Logging
public import Proscenium
public import ServiceLifecycle

/// An application as a service of a `ServiceGroup`, whose graceful shutdown shuts it down.
///
/// ```swift
/// let windows = ApplicationService(manifest: manifest) { application in
///   try await serve(application)
/// }
/// try await ServiceGroup(services: [windows], logger: logger).run()
/// ```
public struct ApplicationService: Service {
  private let runApplication: @Sendable () async throws -> Void

  /// Describes the application; nothing happens before the group runs it.
  ///
  /// The parameters are those of
  /// `Application.withRunning(manifest:store:settings:log:delegate:_:)`. The closure is cancelled
  /// when the shutdown has ended the application.
  public init(
    manifest: SceneManifest, store: any SessionStore = InMemorySessionStore(),
    settings: ApplicationSettings = .init(), log: Logger = Logger(label: "proscenium"),
    delegate: (@Sendable () -> any ApplicationDelegate)? = nil,
    _ body: @escaping @Sendable (Application) async throws -> Void
  ) {
    runApplication = {
      try await Application.withRunning(
        manifest: manifest, store: store, settings: settings, log: log, delegate: delegate
      ) { application in
        try await withGracefulShutdownHandler {
          try await body(application)
        } onGracefulShutdown: {
          application.shutDown()
        }
      }
    }
  }

  /// Launches the application, runs the closure, and ends the application in order.
  ///
  /// - Throws: As `Application.withRunning(manifest:store:settings:log:delegate:_:)`.
  public func run() async throws {
    try await runApplication()
  }
}
