// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// The delegate of a scene whose draft every message edits.
package final class EditingDelegate: SceneDelegate {
  private var activity = Draft.edited(0)
  private var edits: Int64 = 0

  package init() {}

  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    edits += 1
    activity.userInfo["edits"] = .integer(edits)
    scene.setNeedsCapture()
  }

  package func stateRestorationActivity(for scene: isolated Scene) -> UserActivity? { activity }
}
