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
