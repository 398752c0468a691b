// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The delegate of a session under load: what it remembers of its events is its state.
final class LoadDelegate: StatefulSceneDelegate {
  private let audit: LoadAudit
  private var setup: LoadSetup?
  private var history = LoadHistory()
  /// What fills the state.
  private var filler: [UInt8] = []
  private var connectedAt: UInt64 = 0
  /// The events that the scene was connected for, until they are taken.
  ///
  /// They wait for what the session remembers.
  private var brought: [LoadEvent?]?

  init(_ audit: LoadAudit) {
    self.audit = audit
  }

  // MARK: - Its life

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    connectedAt = audit.now
    brought = LoadEvent.events(of: options)
    guard let setup = options.userActivities.lazy.compactMap({ LoadSetup($0) }).first else {
      return
    }
    self.setup = setup
    filler = setup.body
    if let conditions = setup.conditions { scene.activationConditions = conditions }
    scene.setNeedsCapture()
    begin(scene)
  }

  func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    setup = state.string("setup").flatMap { LoadSetup(text: $0) }
    filler = state.data("filler") ?? []
    history = state.string("history").flatMap { LoadHistory(text: $0) } ?? LoadHistory()
    begin(scene)
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    takeHanded(scene)
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    begin(scene)
    audit.disconnect(scene.persistentIdentifier, history)
  }

  func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    takeHanded(scene)
    guard let setup else { return }
    state.write("setup", setup.text)
    state.write("filler", filler)
    state.write("history", history.text)
  }

  func snapshot(for scene: isolated Scene, variant: String?) -> [UInt8]? {
    [UInt8](history.text.utf8)
  }

  // MARK: - Events

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    take(LoadEvent(message), scene)
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    takeHanded(scene)
    if let event = LoadEvent(message) { take(event, scene) }
    return SceneMessage(history.text)
  }

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    for context in contexts { take(LoadEvent(.url(context)), scene) }
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    take(LoadEvent(activity), scene)
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    take(LoadEvent(.shortcut(item)), scene)
  }

  private func take(_ event: LoadEvent?, _ scene: isolated Scene) {
    takeHanded(scene)
    guard let event else { return audit.note(.foreign, scene.persistentIdentifier) }
    accept(event, scene)
  }

  private func accept(_ event: LoadEvent, _ scene: isolated Scene) {
    // A session that an event has made, since the one it was for is gone, is of no use; and one
    // that followed in between was not meant.
    guard let setup, event.generation == UInt32(setup.generation),
      event.place == UInt32(setup.place)
    else { return }
    audit.judge(event, after: history.last, in: scene.persistentIdentifier)
    history.append(event.number)
    scene.setNeedsCapture()
    audit.record(event, hasWaited: event.time < connectedAt, in: scene.persistentIdentifier)
  }

  /// Begins with what was restored; at the next callback with nothing, if nothing was.
  private func begin(_ scene: isolated Scene) {
    guard let events = brought else { return }
    brought = nil
    audit.connect(scene.persistentIdentifier, history)
    for event in events { take(event, scene) }
  }

  /// Takes what the application's delegate was given for the scene.
  private func takeHanded(_ scene: isolated Scene) {
    begin(scene)
    guard audit.hasHanded else { return }
    for event in audit.takeHanded(to: scene.persistentIdentifier) { accept(event, scene) }
  }
}

/// The application's delegate under load: it hands answers to notifications on to their scenes.
final class LoadApplicationDelegate: ApplicationDelegate {
  private let audit: LoadAudit

  init(_ audit: LoadAudit) {
    self.audit = audit
  }

  func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene
  ) {
    guard let event = LoadEvent(.notification(response)) else {
      return audit.note(.foreign, scene.persistentIdentifier)
    }
    // The scene waits until then: it takes the event before its next one.
    audit.hand(event, to: scene.persistentIdentifier)
  }
}
