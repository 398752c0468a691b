// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumSealing

/// Opens what is kept of sessions, for tools that look at a store.
struct SessionOpener {
  let configurations: ConfigurationTable
  private let ring: KeyRing
  private let salt: SealingSalt

  init(_ ring: KeyRing, _ configurations: ConfigurationTable) {
    self.ring = ring
    self.configurations = configurations
    var generator = SystemRandomness()
    salt = .random(using: &generator)
  }

  /// Opens the saved state that was found of a session.
  ///
  /// - Returns: The state, or `nil` if it has none.
  /// - Throws: `damaged` if anything of it is not as it was written.
  func open(_ found: StateReader.Found) throws(StoreError) -> [UInt8]? {
    try found.open(configurations) { (row) throws(StoreError) in
      do throws(SealingError) {
        return SessionSeal(try ring.unwrap(row.key).key, salt)
      } catch {
        throw row.damage(error.message)
      }
    }
  }
}
