// SPDX-License-Identifier: Apache-2.0

// What the application delegate is asked and told, on the application actor.
extension ApplicationItem {
  /// Asks or tells the delegate, and passes on what it answered.
  func carryOut(by application: isolated Application) {
    switch self {
    case .ask(let question, let handle): question.ask(handle, by: application)
    case .discard(let discard):
      application.delegate?.application(application, didDiscardSceneSessions: [discard.session])
      application.core.finish(discard)
    case .respond(let response, let scene, let handle, let handshake):
      response.tell(scene, by: application)
      if handshake.answer(()) { application.core.directory.releaseLane(handle) }
    }
  }
}

extension NotificationResponse {
  /// Gives the delegate the user's answer to a notification (semantics#delivery).
  fileprivate func tell(_ scene: Scene, by application: isolated Application) {
    application.isUnhandled = false
    application.delegate?.application(application, didReceive: self, targetScene: scene)
    if application.isUnhandled || application.delegate == nil {
      application.core.diagnose(.unhandledEvent, scene.persistentIdentifier)
    }
  }
}

extension ConfigurationQuestion {
  /// Asks the delegate, and gives the session's lane the answer.
  fileprivate func ask(_ handle: SessionHandle, by application: isolated Application) {
    guard let delegate = application.delegate as? any ConfiguringApplicationDelegate else {
      preconditionFailure("only a delegate that chooses configurations is asked")
    }
    let returned = delegate.application(
      application, configurationForConnecting: session, options: options)
    let answer = check(returned, application.core)
    if case .success(let chosen) = answer {
      application.core.events.report(session.id, .configured(name: chosen.name))
    }
    if handshake.answer(answer) { application.core.directory.releaseLane(handle) }
  }

  /// R-CFG-3, R-CFG-4: what the returned configuration means.
  private func check(
    _ returned: SceneConfiguration, _ core: ApplicationCore
  ) -> Result<SceneConfiguration, SceneError> {
    let chosen = core.catalog.manifest.resolve(returned)
    if chosen.role == session.role {
      if core.catalog.manifest.isUnknown(chosen) {
        core.diagnose(.configurationNotFound(name: chosen.name), session.persistentIdentifier)
      }
      return .success(chosen)
    }
    let error = SceneError(
      .roleMismatch, session: session.persistentIdentifier,
      "expected a configuration of role \(session.role.rawValue), "
        + "the delegate returned one of role \(chosen.role.rawValue)")
    if isFirst { return .failure(error) }
    // A session of an earlier run keeps what it had.
    core.events.report(session.persistentIdentifier, .failed(error))
    return .success(session.configuration)
  }
}
