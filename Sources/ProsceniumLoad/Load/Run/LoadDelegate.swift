// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The delegate of a session under load: what it remembers of its events is its state.
final class LoadDelegate: SceneDelegate {
  /// The key of what fills a state.
  private static let filler = "filler"

  private let audit: LoadAudit
  private var setup: LoadSetup?
  private var history = LoadHistory()
  /// What the state has apart from the history.
  private var activity: UserActivity?
  private var connectedAt: UInt64 = 0

  init(_ audit: LoadAudit) {
    self.audit = audit
  }

  // MARK: - Its life

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    connectedAt = audit.now
    if let saved = session.stateRestorationActivity {
      setup = LoadSetup(saved)
      history = saved.title.flatMap { LoadHistory(text: $0) } ?? LoadHistory()
      activity = saved
    } else if let setup = options.userActivities.compactMap({ LoadSetup($0) }).first {
      self.setup = setup
      activity = setup.activity
      activity?.userInfo[Self.filler] = .data(setup.body)
      if let conditions = setup.conditions { scene.activationConditions = conditions }
    }
    audit.connect(session.id, history)
    for context in options.urlContexts { take(LoadEvent(.url(context)), scene) }
    for activity in options.userActivities where LoadSetup(activity) == nil {
      take(LoadEvent(activity), scene)
    }
    if let item = options.shortcutItem { take(LoadEvent(.shortcut(item)), scene) }
    if let response = options.notificationResponse {
      take(LoadEvent(.notification(response)), scene)
    }
    scene.setNeedsCapture()
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) {
    takeHanded(scene)
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    audit.disconnect(scene.persistentIdentifier, history)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    takeHanded(scene)
    guard setup != nil else { return nil }
    activity?.title = history.text
    return activity
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

  /// Takes what the application's delegate was given for the scene.
  private func takeHanded(_ scene: isolated Scene) {
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
