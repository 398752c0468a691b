// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Proscenium

/// Tells the program's application delegate what the runtime's is told.
package final class ApplicationTranslator: ConfiguringApplicationDelegate, Sendable {
  private let program: UIKitProgram

  /// Makes the runtime's delegate of a program's process.
  package init(of program: UIKitProgram) {
    self.program = program
  }

  /// Calls the program on the main actor, whose executor the application has leased.
  private func tell(_ body: @MainActor (UIApplication, (any UIApplicationDelegate)?) -> Void) {
    MainActor.assumeIsolated {
      guard let application = program.application else { return }
      program.callCount += 1
      body(application, application.delegate)
    }
  }

  package func applicationWillFinishLaunching(_ application: isolated Application) {
    let process = application
    MainActor.assumeIsolated {
      let application = program.begin(process)
      _ = application.delegate?.application(application, willFinishLaunchingWithOptions: nil)
    }
  }

  package func applicationDidFinishLaunching(_ application: isolated Application) {
    tell { application, delegate in
      _ = delegate?.application(application, didFinishLaunchingWithOptions: nil)
    }
  }

  package func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration {
    MainActor.assumeIsolated {
      guard let application = program.application, let delegate = application.delegate else {
        return session.configuration
      }
      let object = application.objects.session(session, of: application)
      object.take(session)
      let options = application.objects.options(
        options, of: session.persistentIdentifier, isLast: false)
      let chosen = delegate.application(
        application, configurationForConnecting: object, options: options)
      application.objects[storyboardOf: session.persistentIdentifier] = chosen.storyboard
      program.checkClass(of: chosen)
      return chosen.value(for: object.role)
    }
  }

  package func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {
    tell { application, delegate in
      let objects = sessions.map { session in
        let object = application.objects.session(session, of: application)
        object.take(session)
        return object
      }
      delegate?.application(application, didDiscardSceneSessions: Set(objects))
      for session in sessions { application.objects.discard(session.persistentIdentifier) }
    }
  }

  package func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene
  ) {
    let session = scene.persistentIdentifier
    let isHandled = MainActor.assumeIsolated {
      guard let application = program.application else { return false }
      return application.notifications.deliver(
        UNNotificationResponse(response, targetScene: application.objects.scene(session)))
    }
    if !isHandled { application.isUnhandled = true }
  }

  package func applicationWillTerminate(_ application: isolated Application) {
    tell { application, delegate in delegate?.applicationWillTerminate(application) }
  }

  // MARK: - What is posted

  /// Sees what happens, for what UIKit posts.
  package var observer: LifecycleObserver { LifecycleObserver { [self] in observe($0) } }

  /// Posts what UIKit posts, and keeps the objects of scenes.
  private func observe(_ event: LifecycleEvent) {
    let session = event.session
    switch event.kind {
    case .connected:
      tell { application, _ in application.connect(session) }
    case .notification(let notification):
      post(UIScene.name(of: notification)) { session.flatMap($0.objects.scene) }
    case .applicationNotification(let notification):
      post(UIApplication.name(of: notification)) { $0 }
    case .disconnected:
      tell { application, _ in session.map(application.objects.disconnect) }
    case .failed(let error) where error.code == .roleMismatch:
      // A session that never opened: no discard follows.
      tell { application, _ in
        guard let session, application.process?.session(session) == nil else { return }
        application.objects.discard(session)
      }
    default: break
    }
  }

  private func post(_ name: NSNotification.Name, about object: @MainActor (UIApplication) -> Any?) {
    tell { application, _ in
      NotificationCenter.default.post(name: name, object: object(application))
    }
  }
}

extension UIApplication {
  /// Makes the object of a scene that is being connected.
  fileprivate func connect(_ identifier: SessionIdentifier?) {
    guard let identifier, let scene = process?.scene(for: identifier) else { return }
    let session = objects.session(scene.assumeIsolated { $0.session }, of: self)
    let options = UIScene.ConnectionOptions(Scene.ConnectionOptions())
    objects.connect(UIWindowScene(session: session, connectionOptions: options))
  }
}
