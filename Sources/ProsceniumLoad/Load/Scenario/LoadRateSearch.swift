// SPDX-License-Identifier: Apache-2.0

/// Decides which rates are tried to find the highest one that is held.
///
/// The rate is doubled, or halved, until one is held and one isn't; then it is the geometric middle
/// of both, until they are near to one another.
public struct LoadRateSearch: Sendable, Hashable {
  /// How many rates are tried at most.
  public static let trialLimit = 40
  /// How near the lowest rate that is not held is to the highest one that is, for each unit of it.
  public static let precision = 0.05
  /// The range of rates that are tried, in events a second.
  public static let range = 1.0...100_000_000.0

  /// The highest rate that was held, or nil if none was.
  public private(set) var held: Double?
  /// The lowest rate that was not held, or nil if all were.
  public private(set) var missed: Double?
  /// How many rates were tried.
  public private(set) var trials = 0

  private let first: Double

  /// Creates a search.
  ///
  /// - Parameter first: The rate that is tried first, taken into ``range``.
  public init(from first: Double) {
    self.first = min(max(first, Self.range.lowerBound), Self.range.upperBound)
  }

  /// The rate to try next; nil if the answer is known, or too many were tried.
  public var next: Double? {
    guard trials < Self.trialLimit else { return nil }
    switch (held, missed) {
    case (nil, nil): return first
    case (let held?, nil):
      return held < Self.range.upperBound ? min(held * 2, Self.range.upperBound) : nil
    case (nil, let missed?):
      return missed > Self.range.lowerBound ? max(missed / 2, Self.range.lowerBound) : nil
    case (let held?, let missed?):
      return missed / held <= 1 + Self.precision ? nil : (held * missed).squareRoot()
    }
  }

  /// Takes note of a trial.
  ///
  /// A rate that is held above one that was not, as it can happen on a machine that has other work,
  /// counts as not held.
  public mutating func note(_ rate: Double, isHeld: Bool) {
    trials += 1
    if isHeld, rate < missed ?? .infinity {
      held = max(held ?? 0, rate)
    } else {
      missed = min(missed ?? .infinity, rate)
    }
  }
}
