// SPDX-License-Identifier: Apache-2.0

import Crypto
import GRDB

/// Where the files of a store stand.
struct StoreLocation {
  /// The path of the database.
  let path: String
}
