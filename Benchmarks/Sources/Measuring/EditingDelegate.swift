// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// The delegate of a scene whose draft every message edits.
package final class EditingDelegate: StatefulSceneDelegate {
  private var draft = Draft.fields(editedTimes: 0)

  package init() {}

  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    draft.edits += 1
    scene.setNeedsCapture()
  }

  package func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    draft.write(to: &state)
  }

  package func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    draft = Draft.Fields(from: &state)
  }
}
