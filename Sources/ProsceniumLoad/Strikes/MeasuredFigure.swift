// SPDX-License-Identifier: Apache-2.0

/// One figure of a measurement.
public struct MeasuredFigure: Sendable {
  /// What a value counts.
  public enum Unit: Sendable {
    /// Operations a second.
    case rate
    /// Seconds.
    case seconds
    /// Bytes.
    case bytes
    /// A number without a unit.
    case plain
  }

  /// What was measured.
  public let name: String

  /// How much it is.
  public let value: Double

  /// What the value counts.
  public let unit: Unit

  /// How many processors were at work on average, or nil if that says nothing.
  public let processors: Double?

  init(_ name: String, _ value: Double, _ unit: Unit, processors: Double? = nil) {
    self.name = name
    self.value = value
    self.unit = unit
    self.processors = processors
  }
}
