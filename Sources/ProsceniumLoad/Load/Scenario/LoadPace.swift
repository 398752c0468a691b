// SPDX-License-Identifier: Apache-2.0

/// When events are due: a rate that goes in a straight line from stage to stage, and stays as it is
/// after the last one.
///
/// Every event has a moment of its own, however late it is sent: latency is counted from there.
public struct LoadPace: Hashable, Sendable {
  /// A part of the time.
  public struct Stage: Hashable, Sendable {
    /// How long it takes in seconds.
    public var seconds: Double
    /// How many events a second are due at its end.
    public var rate: Double

    /// Makes a stage.
    public init(seconds: Double, rate: Double) {
      self.seconds = seconds
      self.rate = rate
    }
  }

  /// A stage with what came before it.
  private struct Segment: Hashable {
    let start: Double
    let seconds: Double
    let firstRate: Double
    let lastRate: Double
    let dueBefore: Double

    var slope: Double { seconds > 0 ? (lastRate - firstRate) / seconds : 0 }

    func due(after time: Double) -> Double {
      dueBefore + firstRate * time + slope * time * time / 2
    }
  }

  private let segments: [Segment]

  /// The rate after the last stage.
  public let lastRate: Double

  /// A rate that never changes.
  public init(rate: Double) {
    self.init(first: rate, [])
  }

  /// A rate that follows stages.
  ///
  /// - Parameters:
  ///   - first: The rate at the beginning.
  ///   - stages: What follows.
  public init(first: Double, _ stages: [Stage]) {
    var segments: [Segment] = []
    var (start, rate, due) = (0.0, first, 0.0)
    for stage in stages where stage.seconds > 0 {
      let segment = Segment(
        start: start, seconds: stage.seconds, firstRate: rate, lastRate: stage.rate,
        dueBefore: due)
      segments.append(segment)
      start += stage.seconds
      due = segment.due(after: stage.seconds)
      rate = stage.rate
    }
    // Without an end.
    segments.append(
      Segment(start: start, seconds: .infinity, firstRate: rate, lastRate: rate, dueBefore: due))
    self.segments = segments
    lastRate = rate
  }

  /// How many events are due by a moment, in seconds since the beginning.
  public func due(at time: Double) -> Double {
    guard let segment = segments.last(where: { $0.start <= time }) else { return 0 }
    return segment.due(after: time - segment.start)
  }

  /// When an event is due, in seconds since the beginning.
  ///
  /// - Parameter number: The number of the event, from 0.
  /// - Returns: The moment; infinity if it never comes.
  public func time(of number: Double) -> Double {
    guard let segment = segments.last(where: { $0.dueBefore <= number }) else { return 0 }
    let count = number - segment.dueBefore
    guard count > 0 else { return segment.start }
    // The way of something that is moved with a constant acceleration, solved for the time in the
    // form that loses no digits where the acceleration is small.
    let root = segment.firstRate * segment.firstRate + 2 * segment.slope * count
    let divisor = segment.firstRate + max(root, 0).squareRoot()
    return divisor > 0 ? segment.start + 2 * count / divisor : .infinity
  }
}

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
