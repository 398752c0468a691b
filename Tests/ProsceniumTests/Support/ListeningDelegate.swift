// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A delegate that logs what comes from outside, and in which state of its scene:
/// `S1.openURL(doc) I`.
final class ListeningDelegate: SceneDelegate {
  private let log: CallLog

  init(_ log: CallLog) {
    self.log = log
  }

  private func note(_ scene: isolated Scene, _ call: String) {
    log.append("\(scene.persistentIdentifier.label).\(call) \(scene.activationState.letter)")
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    note(scene, "willConnect\(options.isEmpty ? "" : "(\(options.text))")")
  }

  func sceneDidBecomeActive(_ scene: isolated Scene) { note(scene, "didBecomeActive") }

  func scene(_ scene: isolated Scene, openURLContexts contexts: [OpenURLContext]) {
    note(scene, "openURL(\(contexts.map(\.url).joined(separator: ", ")))")
  }

  func scene(_ scene: isolated Scene, continue activity: UserActivity) {
    note(scene, "continue(\(activity.title ?? ""))")
  }

  func scene(_ scene: isolated Scene, willContinueUserActivityWithType activityType: String) {
    note(scene, "willContinue(\(activityType))")
  }

  func scene(
    _ scene: isolated Scene, didFailToContinueUserActivityWithType activityType: String,
    error: any Error & Sendable
  ) {
    note(scene, "didFailToContinue(\(activityType), \(error))")
  }

  func scene(_ scene: isolated Scene, performActionFor item: ShortcutItem) {
    note(scene, "performAction(\(item.type))")
  }

  func scene(_ scene: isolated Scene, userDidAcceptShareWith metadata: ShareMetadata) {
    note(scene, "userDidAcceptShare(\(metadata.identifier))")
  }
}

extension Scene.ConnectionOptions {
  fileprivate var text: String {
    var parts = urlContexts.map { "url: \($0.url)" }
    parts += userActivities.map { "activity: \($0.title ?? "")" }
    if let handoffUserActivityType { parts.append("handoff: \(handoffUserActivityType)") }
    if let shortcutItem { parts.append("shortcut: \(shortcutItem.type)") }
    if let notificationResponse { parts.append("notification: \(notificationResponse.identifier)") }
    if let shareMetadata { parts.append("share: \(shareMetadata.identifier)") }
    return parts.joined(separator: ", ")
  }
}

/// An application delegate that logs the user's answers to notifications: `app.didReceive(id, S1)`.
final class RespondingApplicationDelegate: ApplicationDelegate {
  private let log: CallLog

  init(_ log: CallLog) {
    self.log = log
  }

  func application(
    _ application: isolated Application, didReceive response: NotificationResponse,
    targetScene scene: Scene
  ) {
    log.append(
      "app.didReceive(\(response.identifier), \(scene.persistentIdentifier.label)) "
        + scene.activationState.letter)
  }
}
