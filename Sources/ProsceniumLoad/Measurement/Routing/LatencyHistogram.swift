// SPDX-License-Identifier: Apache-2.0

/// Counts spans of time in buckets that are at most 1/32 of their value wide.
///
/// Recording allocates nothing and takes a few nanoseconds.
public struct LatencyHistogram: Sendable {
  private static let bits = 5

  private var counts = [Int](repeating: 0, count: (64 - bits + 1) << bits)

  /// How many spans were recorded.
  public private(set) var count = 0

  /// The longest span in nanoseconds, 0 if none was recorded.
  public private(set) var longest = 0

  /// Creates a histogram without spans.
  public init() {}

  /// Records a span; a negative one counts as 0, and one of over 18 seconds as 18 seconds.
  @inline(__always)
  mutating func record(_ span: Duration) {
    // 64 bits of attoseconds are enough, and their division is a multiplication.
    let attoseconds = UInt64(clamping: span.attoseconds)
    record(nanoseconds: Int(attoseconds / 1_000_000_000))
  }

  /// Records a span of 0 nanoseconds or more.
  @inline(__always)
  mutating func record(nanoseconds: Int) {
    counts[Self.bucket(of: nanoseconds)] += 1
    count += 1
    if nanoseconds > longest { longest = nanoseconds }
  }

  /// Adds the spans of another histogram.
  mutating func add(_ other: LatencyHistogram) {
    for index in counts.indices { counts[index] += other.counts[index] }
    count += other.count
    longest = max(longest, other.longest)
  }

  /// The span that a share of all spans does not exceed, in nanoseconds; 0 if there are none.
  ///
  /// - Parameter share: From 0 to 1, such as 0.999.
  /// - Returns: The upper end of the bucket, which is at most 1/32 more than the span itself.
  public func quantile(_ share: Double) -> Int {
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var sum = 0
    for (index, number) in counts.enumerated() {
      sum += number
      if sum >= rank { return min(Self.upperEnd(ofBucket: index), longest) }
    }
    return longest
  }

  // Values below 32 have buckets of their own; above, each power of two has 32 of equal width.
  @inline(__always)
  private static func bucket(of value: Int) -> Int {
    let shift = max(0, Int.bitWidth - value.leadingZeroBitCount - bits - 1)
    return shift << bits + value >> shift
  }

  private static func upperEnd(ofBucket index: Int) -> Int {
    let shift = max(0, index >> bits - 1)
    return (index - shift << bits) << shift + (1 << shift - 1)
  }
}
