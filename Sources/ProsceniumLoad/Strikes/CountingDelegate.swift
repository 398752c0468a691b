// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium

/// The delegate of a session that is struck: it counts each sender's messages, which is its state.
final class CountingDelegate: SceneDelegate {
  /// Of how many messages one is timed.
  private static let timed: UInt32 = 16
  /// What a state holds beside the counts.
  private static let draft = UserActivity.Value.data(
    (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 37) })

  private let audit: StrikeAudit
  private var counts = EventCounts()
  private var connectedAt: UInt64 = 0
  /// Memory that the scene takes for itself.
  private let ballast: [UInt8]

  init(_ audit: StrikeAudit, ballast: Int = 0) {
    self.audit = audit
    self.ballast = [UInt8](repeating: 1, count: ballast)
  }

  func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    audit.connect(session.id)
    connectedAt = audit.now
    if let saved = session.stateRestorationActivity?.title { counts = EventCounts(text: saved) }
  }

  func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    guard let event = CountedEvent(message) else { return }
    if event.number != counts[event.sender] + 1 { audit.miss() }
    counts[event.sender] = event.number
    scene.setNeedsCapture()
    // Those sent before were waiting for the scene.
    if event.number % Self.timed == 1, event.time >= connectedAt {
      audit.record(nanoseconds: Int(audit.now - event.time), of: scene.persistentIdentifier)
    }
  }

  func scene(_ scene: isolated Scene, replyTo message: SceneMessage) -> SceneMessage {
    SceneMessage(counts.text)
  }

  func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? {
    var activity = UserActivity("org.example.counts", userInfo: ["draft": Self.draft])
    activity.title = counts.text
    return activity
  }

  func sceneDidDisconnect(_ scene: isolated Scene) {
    audit.disconnect(scene.persistentIdentifier)
  }
}
