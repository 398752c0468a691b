// SPDX-License-Identifier: Apache-2.0

#if !canImport(UIKit)
  import Proscenium

  extension SceneManifest {
    /// What the UIKit program says in its Info.plist.
    static let jotter: SceneManifest = [SceneConfiguration("Note", NoteSceneDelegate.init)]
  }
#endif
