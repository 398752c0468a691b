// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension Scene {
  /// Whether every look-up finds the scene and its session, as it has to in each callback.
  package var isFound: Bool {
    let session = persistentIdentifier
    return application.scene(for: session) === self && application.session(session) != nil
      && application.openSessions.contains(session)
  }
}
