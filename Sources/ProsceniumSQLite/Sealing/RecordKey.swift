// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The key that seals the records of one session in one opening of the store.
struct RecordKey: Sendable {
  /// The number of bytes of a key: AES-256.
  static let size = 32

  let key: SymmetricKey
}

extension RecordKey: CustomStringConvertible, CustomReflectable {
  var description: String { "a record key" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
