// SPDX-License-Identifier: Apache-2.0

import Logging
import Proscenium
import Synchronization

/// Collects lines from scenes of any shard.
final class CallLog: Sendable {
  private let storage = Mutex<[String]>([])

  var lines: [String] { storage.withLock { $0 } }

  func append(_ line: String) {
    storage.withLock { $0.append(line) }
  }
}

/// A delegate that logs each callback with the state that it sees.
final class LoggingDelegate: SceneDelegate {
  let log: CallLog
  var activity: UserActivity?

  init(_ log: CallLog) {
    self.log = log
  }

  private func note(_ scene: isolated Scene, _ callback: String) {
    let number = scene.persistentIdentifier.description.suffix(6).drop { $0 == "0" }
    log.append("S\(number).\(callback) \(scene.activationState)")
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    note(scene, "willConnect")
  }

  func scene(_ scene: isolated Scene, restoreInteractionStateWith activity: UserActivity) {
    note(scene, "restoreInteractionState(\(activity.title ?? ""))")
  }

  func sceneWillEnterForeground(_ scene: isolated Scene) { note(scene, "willEnterForeground") }
  func sceneDidBecomeActive(_ scene: isolated Scene) { note(scene, "didBecomeActive") }
  func sceneWillResignActive(_ scene: isolated Scene) { note(scene, "willResignActive") }
  func sceneDidEnterBackground(_ scene: isolated Scene) { note(scene, "didEnterBackground") }
  func sceneDidDisconnect(_ scene: isolated Scene) { note(scene, "didDisconnect") }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    note(scene, "stateRestorationActivity")
    return activity
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(scene, "continue(\(activity.title ?? ""))")
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    note(scene, "didReceive(\(message.string))")
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    note(scene, "replyTo(\(message.string))")
    return SceneMessage(String(message.string.reversed()))
  }
}

extension Logger {
  static var silent: Logger {
    Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
  }
}

extension ApplicationSettings {
  /// Settings whose sessions are numbered.
  static var counted: ApplicationSettings {
    var settings = ApplicationSettings()
    settings.identifiers = .counted()
    return settings
  }
}

extension Application {
  /// Runs the application around a body, and ends it in order.
  func whileRunning(_ body: @Sendable () async throws -> Void) async throws {
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
