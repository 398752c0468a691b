// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives

/// The one who writes to a store, on the thread of its connection.
struct StoreWriter: Sendable {
  let connection: SQLiteConnection
  let parts: StoreParts
  let statements: WriterStatements
  let gauge: LogGauge

  /// The row of the table `store`, as it is in the file.
  var store: StoreRow

  /// What is wrong with the store as a whole, until a load tells it.
  var damage: [StoreError]

  /// The numbers of the configurations that are in the file.
  var configurations: [StoredConfiguration: Int64] = [:]
  var nextConfiguration: Int64 = 1

  /// The number of the next segment.
  var nextSegment: Int64 = 1

  /// The numbers of the activations that are in the file.
  var activationNumbers: Range<Int64> = 1..<1

  /// Whether activations are appended to their table, rather than written into the sessions' rows
  /// because the table is damaged.
  var appendsActivations = true

  /// The changes that are being committed; it is kept for its memory.
  var group = ChangeGroup()

  /// The segments that are being written; they are kept for their memory.
  var fresh = SegmentBuilder()
  var survivors = SegmentBuilder()

  var statistics = StoreStatistics()

  private(set) var isClosed = false

  /// Whether keys were destroyed that may still stand in the log.
  var logHasDestroyedKeys = false

  var options: SQLiteSessionStore.Options { parts.options }

  /// Takes over a file that was opened.
  ///
  /// - Throws: What SQLite refuses.
  init(
    _ connection: SQLiteConnection, _ parts: StoreParts, _ opened: OpenedStore
  ) throws(StoreError) {
    self.connection = connection
    self.parts = parts
    store = opened.store
    damage = opened.damage
    statements = try WriterStatements(connection)
    gauge = LogGauge(connection)
  }

  /// Makes sure that the store is open.
  ///
  /// - Throws: `failed` if it is closed.
  func requireOpen() throws(StoreError) {
    guard !isClosed else {
      throw StoreError(.failed, "\(parts.path): expected an open store, found it closed.")
    }
  }

  /// Brings the log into the database, and ends the statements.
  ///
  /// - Throws: What SQLite refuses.
  mutating func close() throws(StoreError) {
    guard !isClosed else { return }
    isClosed = true
    statements.finalize()
    defer { gauge.end(connection) }
    _ = try connection.checkpoint(.truncating)
  }

  /// Runs work in a transaction, all or nothing.
  ///
  /// - Parameters:
  ///   - work: What is written.
  ///   - follow: Lets what is in memory follow what is on the disk now, before anybody judges by
  ///     both.
  /// - Throws: What the work throws, or what SQLite refuses.
  mutating func transaction(
    _ work: (inout StoreWriter) throws(StoreError) -> Void,
    then follow: (inout StoreWriter) -> Void = { _ in }
  ) throws(StoreError) {
    try statements.begin.run()
    do throws(StoreError) {
      try work(&self)
      try parts.standstill.withLock { (_) throws(StoreError) in
        try statements.commit.run()
        follow(&self)
      }
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  ///
  /// - Throws: What SQLite refuses.
  mutating func setRestoring(_ isRestoring: Bool) throws(StoreError) {
    guard store.isRestoring != isRestoring else { return }
    var changed = store
    changed.isRestoring = isRestoring
    try transaction { (writer) throws(StoreError) in
      try changed.write(with: writer.statements.writeStore)
    }
    store = changed
  }
}
