// SPDX-License-Identifier: Apache-2.0

// What a scene asks of its application.
extension Scene {
  /// The application that the scene belongs to.
  public nonisolated var application: Application {
    guard let application = context.application as? Application else {
      preconditionFailure("an application connects its scenes")
    }
    return application
  }

  /// Submits a request, and hears of its failure in the scene.
  ///
  /// - Parameters:
  ///   - request: The request; it takes effect after the callback has returned.
  ///   - type: The delegate's class.
  ///   - onFailure: Called at most once, on the scene, after the callback that submitted the
  ///     request; never after the disconnect.
  public func submit<Delegate: SceneDelegate>(
    _ request: SessionRequest, _ type: Delegate.Type,
    onFailure: @escaping (Delegate, isolated Scene, SceneError) -> Void
  ) {
    let token = ensureExtras().keep(TypedSceneHandler(onFailure))
    let sender = SceneResult(self, token)
    application.submit(request) { sender.send($0) }
  }

  /// Asks the host to open a URL.
  ///
  /// In a callback, start it with ``addTask(_:_:then:)``.
  ///
  /// - Parameters:
  ///   - url: The URL's text.
  ///   - universalLinksOnly: Whether it is to be opened only by a program that has claimed the link
  ///     for itself.
  /// - Returns: Whether anything opened it; `false` also where the settings have no
  ///   ``ApplicationSettings/opensURL``.
  public nonisolated func open(
    _ url: String, universalLinksOnly: Bool = false
  ) async -> Bool {
    guard let opensURL = application.core.settings.opensURL else { return false }
    return await opensURL(url, universalLinksOnly)
  }
}
