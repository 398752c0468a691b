// SPDX-License-Identifier: Apache-2.0

public import Proscenium

// What a test looks at.
extension TestDevice {
  /// Everything that happened on the device so far.
  public var timeline: Timeline { recorder.timeline }

  /// Returns what happened on the device since the last call.
  public func takeTimeline() -> Timeline {
    recorder.take()
  }

  /// The open sessions of the process that runs, or of the store if none does, by identifier.
  public var sessions: [SceneSession] {
    if let application = try? application {
      return application.openSessions.sorted {
        $0.persistentIdentifier < $1.persistentIdentifier
      }
    }
    return store.sessions.map { SceneSession(testing: $0) }
  }

  /// Calls a function with the delegate of a session's scene, on that scene.
  ///
  /// A test looks into its delegate thus, or calls one of its methods.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - type: The delegate's class.
  ///   - body: Receives the delegate and its scene; nothing else runs on the scene then.
  /// - Returns: What `body` returns.
  /// - Throws: `notRunning`, `noScene` or `otherDelegate` as ``TestDeviceError``; what `body`
  ///   throws.
  public func visit<Delegate: SceneDelegate & SendableMetatype, Result: Sendable>(
    _ session: some SessionNaming, _ type: Delegate.Type,
    _ body: @Sendable (Delegate, isolated Scene) throws -> Result
  ) async throws -> Result {
    let identifier = session.persistentIdentifier
    guard let scene = try application.scene(for: identifier) else {
      throw TestDeviceError(
        .noScene, session: identifier,
        "\(identifier.label) has no scene now; expected one: open or connect the session")
    }
    return try await scene.visit(type, body)
  }
}

extension Scene {
  fileprivate func visit<Delegate: SceneDelegate, Result: Sendable>(
    _ type: Delegate.Type, _ body: @Sendable (Delegate, isolated Scene) throws -> Result
  ) throws -> Result {
    guard let delegate = delegate as? Delegate else {
      let found = delegate.map { "one of class \(Swift.type(of: $0))" } ?? "none"
      throw TestDeviceError(
        .otherDelegate, session: persistentIdentifier,
        "expected a delegate of class \(type) at \(persistentIdentifier.label), found \(found)")
    }
    return try body(delegate, self)
  }
}
