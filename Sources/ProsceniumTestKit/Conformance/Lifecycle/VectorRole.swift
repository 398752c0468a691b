// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The roles that a suite knows.
enum VectorRole: String, Sendable, CaseIterable {
  case windowApplication, windowExternalDisplay, windowExternalDisplayNonInteractive

  var role: SceneSession.Role { SceneSession.Role(rawValue: rawValue) }
}
