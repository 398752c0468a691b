// SPDX-License-Identifier: Apache-2.0

package import ProsceniumSQLite

/// How a crash test goes.
package struct CrashSettings: Sendable {
  /// The path of the program whose `crash-writer` is killed.
  package var program: String
  /// A folder that is there, for the store and what belongs to it.
  package var folder: String
  /// A folder on a small file system that the test may fill, or nil to limit the sizes of files.
  package var disk: String?
  /// How many times the writer is killed at random instants.
  package var kills = 200
  /// After how many seconds no further random kill begins, or nil for no limit.
  package var seconds: Int?
  /// What the choices follow from; the instants of the kills depend on the machine, too.
  package var seed: UInt64 = 1
  /// About how many sessions there are: 1 or more.
  package var sessions = 1_000
  /// How many tasks write: 1 or more.
  package var writers = 32
  /// At which points the writer ends itself, in this order.
  package var points = CrashPoint.allCases
  /// How often it does so at each of them.
  package var repetitions = 2
  /// How often the disk is filled.
  package var fullDisks = 4
  /// A mistake that the writer is to make.
  package var mistake: CrashMistake?

  /// Makes settings.
  package init(program: String, folder: String) {
    self.program = program
    self.folder = folder
  }
}
