// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The objects of a process: one for each session, and one for each scene while it is connected.
@MainActor
final class SceneObjects {
  private var sessions: [SessionIdentifier: UISceneSession] = [:]
  private var scenes: [SessionIdentifier: UIScene] = [:]
  /// The storyboards of sessions whose configuration the application delegate has chosen.
  private var storyboards: [SessionIdentifier: UIStoryboard] = [:]
  /// The options of sessions that are on their way from the configuration to the connection.
  private var options: [SessionIdentifier: UIScene.ConnectionOptions] = [:]

  /// The scenes that are connected.
  var connectedScenes: Set<UIScene> { Set(scenes.values) }

  /// The scene that is connected to a session.
  func scene(_ session: SessionIdentifier) -> UIScene? { scenes[session] }

  /// The object of a session, made if there is none yet.
  func session(_ session: SceneSession, of application: UIApplication) -> UISceneSession {
    if let found = sessions[session.persistentIdentifier] { return found }
    let made = UISceneSession(session, of: application)
    sessions[session.persistentIdentifier] = made
    return made
  }

  /// Keeps a scene that is being connected.
  func connect(_ scene: UIScene) {
    scenes[scene.session.identifier] = scene
  }

  /// Lets go of a scene that was disconnected.
  func disconnect(_ session: SessionIdentifier) {
    scenes[session] = nil
  }

  /// Lets go of a session that was discarded, after the delegate was told.
  func discard(_ session: SessionIdentifier) {
    sessions[session] = nil
    options[session] = nil
    storyboards[session] = nil
  }

  /// Lets go of all.
  func releaseAll() {
    sessions = [:]
    scenes = [:]
    options = [:]
    storyboards = [:]
  }

  /// The storyboard that was chosen for a session in this process.
  subscript(storyboardOf session: SessionIdentifier) -> UIStoryboard? {
    get { storyboards[session] }
    set { storyboards[session] = newValue }
  }

  /// The options of a connection as an object: the one that the application delegate was given, if
  /// it was.
  func options(
    _ value: Scene.ConnectionOptions, of session: SessionIdentifier, isLast: Bool
  ) -> UIScene.ConnectionOptions {
    let made = options[session] ?? UIScene.ConnectionOptions(value)
    options[session] = isLast ? nil : made
    return made
  }
}
