// SPDX-License-Identifier: Apache-2.0

import Proscenium

extension SQLiteConnection {
  /// Runs work in a transaction, all or nothing.
  ///
  /// - Throws: What the work throws, or what SQLite refuses.
  func transaction<Success>(
    _ work: () throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    try execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try work()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Gives up the transaction, if SQLite has not done so by itself.
  func rollBack() {
    if isInTransaction { try? execute("ROLLBACK") }
  }
}
