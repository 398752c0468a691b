// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// The delegate of a scene that shows a draft, saves it, and checks what it is restored from.
package final class DraftDelegate: SceneDelegate {
  private let census: DraftCensus
  private var activity: UserActivity?

  /// Makes a delegate that is counted when it connects.
  package init(_ census: DraftCensus) { self.census = census }

  package func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    // Each session has another count of edits, which its draft is known by.
    let edits = Int64(truncatingIfNeeded: session.persistentIdentifier.hashValue)
    activity = session.stateRestorationActivity
    guard let activity else {
      activity = Draft.edited(edits)
      return census.noteNew()
    }
    census.noteRestored(isRight: activity.userInfo["edits"] == .integer(edits))
  }

  /// A message asks for the state to be captured.
  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    scene.setNeedsCapture()
  }

  package func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { activity }
}
