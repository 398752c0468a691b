// SPDX-License-Identifier: Apache-2.0

package import Proscenium

/// The delegate of a scene that shows a draft, saves its fields, and checks what comes back.
package final class DraftDelegate: StatefulSceneDelegate {
  private let census: DraftCensus
  private var draft = Draft.Fields()
  private var isRestored = false

  /// Makes a delegate that is counted when its scene enters the foreground with a new draft.
  package init(_ census: DraftCensus) { self.census = census }

  package func scene(
    _ scene: isolated Scene, willConnectTo session: SceneSession, options: Scene.ConnectionOptions
  ) {
    draft = Draft.fields(of: session.persistentIdentifier)
  }

  package func scene(_ scene: isolated Scene, restoreStateFrom state: inout StateReader) {
    let expected = draft
    draft = Draft.Fields(from: &state)
    isRestored = true
    census.noteRestored(isRight: draft == expected)
  }

  package func sceneWillEnterForeground(_ scene: isolated Scene) {
    if !isRestored { census.noteNew() }
  }

  /// A message asks for the state to be captured.
  package func scene(_ scene: isolated Scene, didReceive message: SceneMessage) {
    scene.setNeedsCapture()
  }

  package func scene(_ scene: isolated Scene, captureStateInto state: inout StateWriter) {
    draft.write(to: &state)
  }
}
