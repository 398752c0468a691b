// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSQLite

extension SQLiteSessionStore {
  /// Makes a store in a folder of its own, or opens the one that is there.
  convenience init(inFolder folder: String) throws(StoreError) {
    try self.init(
      path: folder + "/sessions.db",
      key: FileKeyProvider(path: folder + "/sessions.key", createsIfMissing: true))
  }
}
