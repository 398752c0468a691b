// SPDX-License-Identifier: Apache-2.0

/// A mistake that a crash test has to find, made on purpose.
///
/// A store that does not wait for the disk is none of them: what it has written survives the kill
/// of its process, and only a machine that loses its power would show it.
package enum CrashMistake: String, Hashable, Sendable, CaseIterable {
  /// States are reported as durable before they are.
  case early
  /// The last state of each commit is left out.
  case lost
  /// Two states of a commit change places.
  case swapped
  /// Sessions are not removed.
  case kept
  /// A commit may keep a part of its changes only.
  case torn
}
