// SPDX-License-Identifier: Apache-2.0

/// How far a crash test is.
package struct CrashPosition: Hashable, Sendable {
  /// Kills so far.
  package var kills: Int
  /// Acknowledged states so far.
  package var acknowledgements: Int
  /// How much of the test is over, 0–1.
  package var fraction: Double
}
