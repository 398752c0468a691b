// SPDX-License-Identifier: Apache-2.0

/// What a program does about the application as a whole.
///
/// The delegate is made on the application actor when the launch begins and is used there alone.
/// Its callbacks are synchronous and never overlap. All methods are optional.
public protocol ApplicationDelegate: AnyObject {
  /// Tells the delegate that the launch has begun; no scene exists yet (R-LCH-1).
  func applicationWillFinishLaunching(_ application: isolated Application)

  /// Tells the delegate that the launch is complete but for the scenes (R-LCH-1).
  func applicationDidFinishLaunching(_ application: isolated Application)

  /// Tells the delegate that sessions are gone for good.
  ///
  /// Each session is named once. Its scene has disconnected before (R-DST-1), its fields can still
  /// be read, and it is no longer among the open sessions (R-DST-3). Sessions that were discarded
  /// while the application was not running are named together, after the next launch (R-DST-4).
  func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession])

  /// Gives the delegate the user's answer to a notification, for a scene that is connected already
  /// (semantics#delivery).
  ///
  /// The scene waits on its way to the user (R-FG-3). A scene that connects for the
  /// response finds it in its connection options instead.
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - response: What the user did.
  ///   - scene: The scene that was chosen by the notification's content.
  func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene)

  /// Tells the delegate that the application ends; every scene has disconnected before (2.8 e).
  func applicationWillTerminate(_ application: isolated Application)
}

/// An application delegate that chooses the configuration of each new session.
///
/// A protocol of its own, because the runtime must know before any call whether it is to ask
/// (R-CFG-2).
public protocol ConfiguringApplicationDelegate: ApplicationDelegate {
  /// Asks for the configuration of a new session, shortly before its scene is made (R-CFG-1).
  ///
  /// It is not asked again when the session reconnects or after a relaunch (R-CON-1).
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - session: The new session, with the manifest's first configuration of its role.
  ///   - options: What the scene is to show.
  /// - Returns: A configuration of the session's role; another role fails the request with
  ///   ``SceneError/Code/roleMismatch`` (R-CFG-4).
  func application(
    _ application: isolated Application, configurationForConnecting session: SceneSession,
    options: Scene.ConnectionOptions
  ) -> SceneConfiguration
}

extension ApplicationDelegate {
  /// Does nothing.
  public func applicationWillFinishLaunching(_ application: isolated Application) {}

  /// Does nothing.
  public func applicationDidFinishLaunching(_ application: isolated Application) {}

  /// Does nothing.
  public func application(
    _ application: isolated Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {}

  /// Reports the response as unhandled.
  public func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene
  ) {
    application.isUnhandled = true
  }

  /// Does nothing.
  public func applicationWillTerminate(_ application: isolated Application) {}
}
