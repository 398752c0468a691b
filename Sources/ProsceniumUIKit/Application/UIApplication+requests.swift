// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium

// What a program asks of its sessions. A request takes effect after the callback that makes it has
// returned; an error handler is called later, and only if the request fails.
extension UIApplication {
  /// Brings a session to the foreground, made if need be (semantics#activation).
  ///
  /// - Parameters:
  ///   - sceneSession: The session, or nil for one that prefers the activity's content, else a new
  ///     one.
  ///   - userActivity: What the scene is to show.
  ///   - options: Who asks.
  ///   - errorHandler: Called with the error, a `UISceneError`.
  public func requestSceneSessionActivation(
    _ sceneSession: UISceneSession?, userActivity: NSUserActivity?,
    options: UIScene.ActivationRequestOptions?, errorHandler: ((any Error) -> Void)? = nil
  ) {
    let request =
      sceneSession.map {
        UISceneSessionActivationRequest(session: $0, userActivity: userActivity, options: options)
      } ?? UISceneSessionActivationRequest(userActivity: userActivity, options: options)
    submit(request.value, errorHandler)
  }

  /// Brings a session to the foreground, made if need be (semantics#activation).
  ///
  /// - Parameters:
  ///   - request: Which session, and what it is to show.
  ///   - errorHandler: Called with the error, a `UISceneError`.
  public func activateSceneSession(
    for request: UISceneSessionActivationRequest, errorHandler: ((any Error) -> Void)? = nil
  ) {
    submit(request.value, errorHandler)
  }

  /// Updates what is kept of a session that is not in the foreground, when the system likes
  /// (semantics#refresh).
  public func requestSceneSessionRefresh(_ sceneSession: UISceneSession) {
    submit(.refresh(sceneSession.identifier), nil)
  }

  /// Ends a session for good (semantics#destruction-and-discard).
  ///
  /// - Parameters:
  ///   - sceneSession: The session.
  ///   - options: How its windows leave the screen.
  ///   - errorHandler: Called with the error, a `UISceneError`.
  public func requestSceneSessionDestruction(
    _ sceneSession: UISceneSession, options: UISceneDestructionRequestOptions?,
    errorHandler: ((any Error) -> Void)? = nil
  ) {
    let animation = (options as? UIWindowSceneDestructionRequestOptions)?.windowDismissalAnimation
    let reason = animation.flatMap { Scene.DestructionReason(rawValue: UInt8($0.rawValue)) }
    submit(.destroy(sceneSession.identifier, reason ?? .standard), errorHandler)
  }

  /// Submits a request of the program.
  func submit(_ request: SessionRequest, _ errorHandler: ((any Error) -> Void)?) {
    let handler = ErrorHandler(errorHandler, of: self)
    guard let process else {
      return handler.call(with: UISceneError(.requestDenied))
    }
    process.submit(request) { error in
      MainActor.assumeIsolated { handler.call(with: UISceneError(error)) }
    }
  }
}

/// What a program wants to be called with an error of a request.
@MainActor
private final class ErrorHandler {
  private let handler: ((any Error) -> Void)?
  private weak var application: UIApplication?

  init(_ handler: ((any Error) -> Void)?, of application: UIApplication) {
    self.handler = handler
    self.application = application
  }

  /// Calls it when the callback that made the request has returned, unless the process has ended by
  /// then.
  func call(with error: UISceneError) {
    guard let handler else { return }
    MainQueue.later { [self] in
      guard let application, application.isCurrent else { return }
      handler(error)
    }
  }
}
