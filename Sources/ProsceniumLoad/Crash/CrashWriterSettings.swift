// SPDX-License-Identifier: Apache-2.0

package import ProsceniumSQLite

/// What the writer of a crash test does.
package struct CrashWriterSettings: Sendable {
  /// The path of the store.
  package var store: String
  /// The path of its key.
  package var key: String
  /// What the choices follow from.
  package var seed: UInt64 = 1
  /// About how many sessions there are: 1 or more.
  package var sessions = 1_000
  /// How many tasks write, each to its own sessions: 1 or more.
  package var writers = 32
  /// Where the process ends itself, and when it gets there for how many times.
  package var plant: (point: CrashPoint, count: Int)?
  /// A mistake to make on purpose, so that one sees whether it is found.
  package var mistake: CrashMistake?

  /// Makes settings for a store.
  package init(store: String, key: String) {
    self.store = store
    self.key = key
  }
}
