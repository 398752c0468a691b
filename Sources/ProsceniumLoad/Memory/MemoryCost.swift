// SPDX-License-Identifier: Apache-2.0

/// What one scene or session costs in memory.
public struct MemoryCost: Sendable {
  /// What it is the cost of.
  public let name: String

  /// How many there were.
  public let count: Int

  /// The growth of allocated memory divided by the count, in bytes.
  public let bytes: Double
}
