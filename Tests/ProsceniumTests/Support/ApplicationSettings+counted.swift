// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension ApplicationSettings {
  /// Settings whose sessions are numbered.
  static var counted: ApplicationSettings {
    var settings = ApplicationSettings()
    settings.identifiers = .counted()
    return settings
  }
}
