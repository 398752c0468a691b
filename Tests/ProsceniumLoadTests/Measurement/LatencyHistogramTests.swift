// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct LatencyHistogramTests {
  @Test func `an empty histogram`() {
    let histogram = LatencyHistogram()
    #expect(histogram.count == 0)
    #expect(histogram.quantile(0.5) == 0)
    #expect(histogram.quantile(1) == 0)
  }

  @Test(arguments: [0, 1, 127, 128, 129, 255, 256, 257, 1_000, 123_456_789, 3_600_000_000_000])
  func `one span is every quantile`(nanoseconds: Int) {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: nanoseconds)
    for share in [0, 0.5, 0.999, 1] { #expect(histogram.quantile(share) == nanoseconds) }
    #expect(histogram.longest == nanoseconds)
  }

  @Test func `quantiles are at most a 128th too large`() {
    var random = SplitMix64(seed: 4)
    var histogram = LatencyHistogram()
    // Values of all magnitudes up to 2³⁴, 17 seconds.
    var values = (0..<10_000).map { _ in Int(random.next() >> UInt64(30 + random.number(below: 34)))
    }
    for value in values { histogram.record(nanoseconds: value) }
    values.sort()
    for percent in [1, 10, 50, 90, 99, 100] {
      let exact = values[values.count * percent / 100 - 1]
      let found = histogram.quantile(Double(percent) / 100)
      #expect(found >= exact)
      #expect(found <= exact + exact / 128)
    }
  }

  @Test(arguments: [3_600_000_000_001, Int.max])
  func `a span of more than an hour is one of an hour`(nanoseconds: Int) {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: nanoseconds)
    histogram.record(nanoseconds: nanoseconds)
    #expect(histogram.count == 2)
    #expect(histogram.longest == 3_600_000_000_000)
  }

  @Test func `added histograms`() {
    var left = LatencyHistogram()
    left.record(nanoseconds: 5)
    left.record(nanoseconds: 0)
    var right = LatencyHistogram()
    right.record(nanoseconds: 2_000_000)
    left.add(right)
    #expect(left.count == 3)
    #expect(left.longest == 2_000_000)
    #expect(left.quantile(0.3) == 0)
    #expect(left.quantile(0.6) == 5)
  }
}
