// SPDX-License-Identifier: Apache-2.0

/// Whether a store is in a database server or in a file.
package enum StoreAddress: Sendable {
  /// Whether a text is the address of a database, and not the path of a file.
  package static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }
}
