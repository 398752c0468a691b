// SPDX-License-Identifier: Apache-2.0

/// What one contender came to in one round.
package struct Reading: Sendable {
  /// Operations a second, seconds or bytes, as the contest says.
  package var value: Double
  /// How many processors were at work on average.
  package var processors: Double?
  /// Allocations for each operation.
  package var allocations: Double?
  /// Allocated bytes for each operation, freed ones included.
  package var allocated: Double?
  /// System calls that read or write, for each operation.
  package var systemCalls: Double?

  /// Makes a reading of one value.
  package init(_ value: Double) {
    self.value = value
  }
}
