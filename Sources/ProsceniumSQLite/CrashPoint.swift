// SPDX-License-Identifier: Apache-2.0

/// A place at which a test ends the process, to see that the store survives it.
package enum CrashPoint: String, Sendable, CaseIterable {
  /// A new store has no tables yet.
  case insideCreation
  /// A transaction of changes is written but for its last word.
  case insideCommit
  /// A transaction of changes is on the disk, and nobody knows it yet.
  case afterCommit
  /// Records are being moved to another segment.
  case insideCompaction
  /// The log is being brought into the database.
  case insideCheckpoint
  /// A version of the tables is being made of the one before.
  case insideMigration
  /// The sessions' keys are being wrapped by another application key.
  case insideRotation
}
