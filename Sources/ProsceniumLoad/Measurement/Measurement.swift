// SPDX-License-Identifier: Apache-2.0

/// What one workload of ``RuntimeMeasurement`` came to.
public struct Measurement: Sendable {
  /// What was done.
  public let name: String

  /// How often.
  public let operations: Int

  /// How long it took, in seconds.
  public let seconds: Double

  /// How many processors were at work, on average.
  public let processors: Double

  /// Allocations an operation, or `nil` if nobody counts them.
  public let allocations: Double?

  /// Operations a second.
  public var rate: Double { Double(operations) / seconds }
}

/// What one scene or session costs in memory.
public struct MemoryCost: Sendable {
  /// What it is the cost of.
  public let name: String

  /// How many there were.
  public let count: Int

  /// The growth of allocated memory divided by the count, in bytes.
  public let bytes: Double
}
