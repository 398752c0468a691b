// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

/// The parts of a scenario that are written as words.
@Suite struct LoadWordTests {
  @Test(arguments: ["message=1", "message=90,url=10", "activity=60,url=30,notification=1000000"])
  func `a mix is read as it is written`(text: String) throws {
    #expect(try #require(LoadEventMix(text)).description == text)
  }

  @Test(arguments: [
    "", "message", "message=", "message=x", "message=-1", "message=0", "mail=1", "url=1,url=2",
    "message=1000001", "message=1,", "=1",
  ])
  func `what is no mix is refused`(text: String) {
    #expect(LoadEventMix(text) == nil)
  }

  @Test func `kinds come by their weights`() throws {
    let mix = try #require(LoadEventMix("message=90,url=10"))
    var random = SplitMix64(seed: 1)
    var counts: [LoadEventKind: Int] = [:]
    for _ in 0..<100_000 { counts[mix.draw(&random), default: 0] += 1 }
    #expect(Set(counts.keys) == [.message, .url])
    #expect((9_500...10_500).contains(counts[.url, default: 0]))
  }

  @Test(arguments: ["64", "750", "1048576", "200-2000", "100-100", "mean:800"])
  func `a size is read as it is written, and drawn in its range`(text: String) throws {
    let size = try #require(LoadStateSize(text))
    #expect(size.description == text || text == "100-100")
    var random = SplitMix64(seed: 1)
    let drawn = (0..<10_000).map { _ in size.draw(&random) }
    #expect(drawn.allSatisfy { (LoadStateSize.least...LoadStateSize.most).contains($0) })
    if case .mean(let mean) = size {
      #expect(abs(drawn.reduce(0, +) / drawn.count - mean) < mean / 10)
    }
  }

  @Test(arguments: [
    "", "63", "1048577", "x", "200-", "-200", "2000-200", "mean:", "mean:1", "1-2-3",
  ])
  func `what is no size is refused`(text: String) {
    #expect(LoadStateSize(text) == nil)
  }

  @Test(arguments: [
    ("p99>5ms", LoadThreshold.Figure.latency(percentile: 99), 0.005, true),
    ("p50>5ms", .latency(percentile: 50), 0.005, true),
    ("p100>5ms", .latency(percentile: 100), 0.005, true),
    ("p99.9 > 250us", .latency(percentile: 99.9), 0.000_25, true),
    ("max>1s", .longest, 1, true), ("rate<100k", .rate, 100_000, false),
    ("errors>0", .errors, 0, true), ("resident>1.5GB", .resident, 1.5e9, true),
  ])
  func `a threshold is read`(
    text: String, figure: LoadThreshold.Figure, limit: Double, failsAbove: Bool
  ) throws {
    let threshold = try #require(LoadThreshold(text))
    #expect(threshold.figure == figure)
    #expect(abs(threshold.limit - limit) <= limit * 1e-12)
    #expect(threshold.failsAbove == failsAbove)
    #expect(threshold.isCrossed(by: failsAbove ? limit + 1 : limit - 1))
    #expect(!threshold.isCrossed(by: limit))
  }

  @Test(arguments: [
    "", "p99", "p99>", "p99>5", "p0>1ms", "p101>1ms", "p99=5ms", "p99>5MB", "rate>5ms", "mean>1ms",
    "p99>-5ms", "errors>1x", "p49>5ms", "p49.9>5ms", "p100.1>5ms", "p0x63>5ms", "p9e1>5ms", "p>5ms",
  ])
  func `what is no threshold is refused`(text: String) {
    #expect(LoadThreshold(text) == nil)
  }

  @Test func `Zipf's law gives the first rank its share`() {
    let ranks = ZipfTable(count: 1_000, .zipf(0.99))
    var random = SplitMix64(seed: 3)
    var counts = [Int](repeating: 0, count: 1_000)
    for _ in 0..<1_000_000 { counts[ranks.rank(&random)] += 1 }
    // 1 / n to the power of 0.99, over the sum of all.
    let weights = (1...1_000).map { rank in 1 / Self.power(Double(rank)) }
    let sum = weights.reduce(0, +)
    for rank in [0, 1, 9, 99, 999] {
      let expected = 1_000_000 * weights[rank] / sum
      #expect(abs(Double(counts[rank]) - expected) < 6 * expected.squareRoot(), "rank \(rank)")
    }
  }

  @Test func `without a skew every rank gets the same`() {
    let ranks = ZipfTable(count: 10, .uniform)
    var random = SplitMix64(seed: 3)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<100_000 { counts[ranks.rank(&random)] += 1 }
    #expect(counts.allSatisfy { (9_500...10_500).contains($0) })
  }

  @Test(arguments: ["uniform", "zipf:0.99", "zipf:1.2"])
  func `a skew is read as it is written`(text: String) throws {
    #expect(try #require(LoadSkew(text)).description == text)
  }

  @Test(arguments: ["", "zipf:", "zipf:-1", "zipf:5", "zipf:nan", "uniform:1", "pareto"])
  func `what is no skew is refused`(text: String) {
    #expect(LoadSkew(text) == nil)
  }

  /// A number to the power of 0.99, by whole roots: 99 steps of the hundredth root.
  private static func power(_ number: Double) -> Double {
    // exp(0.99 ln n) as n divided by its hundredth root, which bisection finds.
    var (low, high) = (1.0, number)
    for _ in 0..<200 {
      let middle = (low + high) / 2
      var product = 1.0
      for _ in 0..<100 { product *= middle }
      if product < number { low = middle } else { high = middle }
    }
    return number / low
  }
}
