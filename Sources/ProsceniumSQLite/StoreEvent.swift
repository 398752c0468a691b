// SPDX-License-Identifier: Apache-2.0

/// Something that a store's writer did, for programs that measure.
package enum StoreEvent: Sendable, Equatable {
  /// A transaction begins.
  case commitBegan
  /// The transaction is on the disk, or was given up.
  case commitEnded(records: Int, bytes: Int, isDurable: Bool)
  /// Bringing the log into the database begins on the writer's thread.
  case checkpointBegan
  /// It is over; the log begins anew with the next transaction if `isComplete`.
  case checkpointEnded(isComplete: Bool)
}

/// What a store did since it was opened, and how large it is.
package struct StoreStatistics: Sendable, Equatable {
  /// Transactions that are on the disk.
  package var commits = 0
  /// Records of saved states that were written, without those that were moved.
  package var records = 0
  /// The bytes of those records.
  package var recordBytes = 0
  /// Records that compaction moved.
  package var movedRecords = 0
  /// The bytes of those.
  package var movedBytes = 0
  /// Segments that were removed.
  package var removedSegments = 0
  /// How often the log was brought into the database, in part or as a whole.
  package var checkpoints = 0
  /// How often the log was cut off, so that destroyed keys left it.
  package var truncations = 0
  /// The largest number of pages that the log has had.
  package var largestLog = 0
  /// Segments that there are.
  package var segments = 0
  /// The bytes of all records in segments.
  package var segmentBytes = 0
  /// The bytes of the records that count.
  package var liveBytes = 0
  /// Sessions that there are.
  package var sessions = 0
}
