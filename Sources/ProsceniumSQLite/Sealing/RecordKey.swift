// SPDX-License-Identifier: Apache-2.0

/// The key that seals the records of one session in one opening of the store.
struct RecordKey: Sendable {
  let key: SecretKey
}

extension RecordKey: CustomStringConvertible, CustomReflectable {
  var description: String { "a record key" }
  var customMirror: Mirror { Mirror(self, children: []) }
}
