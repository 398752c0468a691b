// SPDX-License-Identifier: Apache-2.0

/// A place at which a test ends the process, to see that the store survives it.
package enum CrashPoint: String, Sendable, CaseIterable {
  /// A new store has no tables yet.
  case insideCreation
  /// A transaction of changes is written but for its last word.
  case insideCommit
  /// A transaction of changes is on the disk, and nobody knows it yet.
  case afterCommit
  /// The sessions' keys are being wrapped by another application key.
  case insideRotation
}
