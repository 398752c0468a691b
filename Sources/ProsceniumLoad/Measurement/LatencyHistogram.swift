// SPDX-License-Identifier: Apache-2.0

private import Histogram

#if canImport(Darwin)
  import Darwin

  private let ownUsage = RUSAGE_SELF
#else
  import Glibc

  private let ownUsage = RUSAGE_SELF.rawValue
#endif

/// Counts spans of time in buckets that are at most 1/128 of their value wide: an HdrHistogram of
/// two significant digits, in nanoseconds.
///
/// Recording allocates nothing and takes a few nanoseconds. A span of over an hour counts as one of
/// an hour.
public struct LatencyHistogram: Sendable {
  private static let limit: UInt64 = 3_600_000_000_000

  private var histogram = Histogram<UInt64>(
    highestTrackableValue: limit, numberOfSignificantValueDigits: .two)

  /// How many spans were recorded.
  public var count: Int { Int(clamping: histogram.totalCount) }

  /// The longest span in nanoseconds, 0 if none was recorded.
  public var longest: Int { Int(clamping: histogram.maxRecorded) }

  /// Creates a histogram without spans.
  public init() {}

  /// Records a span of 0 nanoseconds or more.
  package mutating func record(nanoseconds: Int) {
    histogram.record(min(UInt64(nanoseconds), Self.limit))
  }

  /// Adds the spans of another histogram.
  package mutating func add(_ other: LatencyHistogram) {
    histogram.add(other.histogram)
  }

  /// Takes all spans, so that none are left.
  package mutating func take() -> LatencyHistogram {
    defer { self = LatencyHistogram() }
    return self
  }

  /// The buckets that have some, by their upper ends in nanoseconds: what another process needs to
  /// add them to its own.
  package var buckets: [Int: Int] {
    var buckets: [Int: Int] = [:]
    for bucket in histogram.recordedValues() {
      buckets[Int(clamping: bucket.value)] = Int(clamping: bucket.count)
    }
    return buckets
  }

  /// Adds the buckets of another process's histogram; what is no span is left out.
  package mutating func add(_ buckets: [Int: Int]) {
    for (value, count) in buckets where value >= 0 && count > 0 {
      histogram.record(min(UInt64(value), Self.limit), count: UInt64(count))
    }
  }

  /// The span that a share of all spans does not exceed, in nanoseconds; 0 if there are none.
  ///
  /// - Parameter share: From 0 to 1, such as 0.999.
  /// - Returns: The upper end of the bucket, which is at most 1/128 more than the span itself.
  public func quantile(_ share: Double) -> Int {
    Int(clamping: histogram.valueAtPercentile(share * 100))
  }
}

/// How much processor time the process has used, in seconds, user and system together.
///
/// Together with a rate it says how many processors were really at work.
enum ProcessorTime {
  static var used: Double {
    var usage = rusage()
    unsafe getrusage(ownUsage, &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    return Double(seconds) + Double(microseconds) / 1_000_000
  }
}
