// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// A scene of a crash test: it holds what it was told last, and says when it is not what it was.
final class CrashDelegate: SceneDelegate, SendableMetatype {
  private let report: @Sendable (CrashReport) -> Void
  private var sequence = 0

  init(_ report: @escaping @Sendable (CrashReport) -> Void) {
    self.report = report
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    let activity = session.stateRestorationActivity
    guard let state = CrashState(activity, of: scene.persistentIdentifier) else {
      return report(.wrong("session \(session.id) was restored with another session's state"))
    }
    sequence = state.sequence
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    guard let order = CrashOrder(message) else { return }
    let session = scene.persistentIdentifier
    if let previous = order.previous, previous != sequence {
      report(.wrong("session \(session): expected to hold write \(previous), holds \(sequence)"))
    }
    sequence = order.sequence
    let state = CrashState(session: session, sequence: sequence)
    if state.changesTitle { scene.title = state.title }
    scene.setNeedsCapture()
    guard order.hasEffect else { return }
    let report = report
    scene.afterDurable { report(.effect(session, sequence: order.sequence)) }
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    if sequence == 0 { return nil }
    return CrashState(session: scene.persistentIdentifier, sequence: sequence).activity
  }
}
