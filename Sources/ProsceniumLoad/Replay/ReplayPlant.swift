// SPDX-License-Identifier: Apache-2.0

/// A mistake in one delivery, made on purpose to show that the verification finds it.
package enum ReplayPlant: String, Hashable, Sendable, CaseIterable {
  /// A session does not get a line.
  case drop
  /// A session gets a line twice.
  case double
  /// A session gets a line after the one that follows it.
  case swap
}
