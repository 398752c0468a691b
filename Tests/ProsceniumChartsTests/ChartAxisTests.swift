// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumCharts

@Suite struct ChartAxisTests {
  @Test(arguments: [
    ([1.0, 7], 0.0...8.0), ([0.03, 0.11], 0...0.12), ([-5.0, 5], -6...6), ([0.0, 0], 0...1),
    ([], 0...1), ([.nan, 3, .infinity], 0...3),
  ])
  func `a linear axis begins at zero and ends at a round number`(
    values: [Double], range: ClosedRange<Double>
  ) {
    let found = ChartAxis("", .plain).range(of: values)
    #expect(abs(found.lowerBound - range.lowerBound) < 1e-9)
    #expect(found.upperBound >= range.upperBound - 1e-9)
    #expect(found.upperBound <= range.upperBound * 1.5 + 1e-9)
  }

  @Test func `a time axis ends where its values end`() {
    #expect(ChartAxis("", .moment).range(of: [1.01, 14.98]) == 1.01...14.98)
  }

  @Test(arguments: [1e-9, 3e-4, 0.7, 1, 9.9, 12, 1_234, 8e12])
  func `there are a few ticks, all of them inside of the axis`(most: Double) {
    let axis = ChartAxis("", .plain)
    let range = axis.range(of: [most])
    let ticks = axis.ticks(in: range)
    #expect((3...11).contains(ticks.count), "\(ticks)")
    #expect(ticks.allSatisfy { range.contains($0.value) })
    #expect(Set(ticks.map(\.text)).count == ticks.count)
  }

  @Test func `a logarithmic axis has powers of ten, and leaves out what is not above zero`() {
    let axis = ChartAxis("", .seconds, .logarithmic)
    #expect(!axis.shows(0) && !axis.shows(-1) && axis.shows(1e-9))
    let range = axis.range(of: [0, 2e-5, 0.3])
    #expect(abs(range.lowerBound - 1e-5) < 1e-12)
    #expect(abs(range.upperBound - 1) < 1e-9)
    #expect(
      axis.ticks(in: range).map(\.text) == ["10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"])
    #expect(axis.ticks(in: axis.range(of: [1e-9, 1e9])).count <= 10)
  }

  @Test(arguments: [ChartAxis.Scale.linear, .logarithmic, .nines])
  func `an axis without values has a few ticks as well`(scale: ChartAxis.Scale) {
    let axis = ChartAxis("", .plain, scale)
    for values in [[], [.nan], [-1.0], [1e-300], [1e308]] as [[Double]] {
      let range = axis.range(of: values)
      #expect(range.lowerBound.isFinite && range.upperBound.isFinite)
      #expect(axis.ticks(in: range).count <= 20, "\(values)")
    }
  }

  @Test func `each nine of a percentile is equally far`() {
    let axis = ChartAxis("", .plain, .nines)
    let steps = [90.0, 99, 99.9, 99.99].map { axis.position($0) }
    for (number, step) in steps.enumerated() { #expect(abs(step - Double(number + 1)) < 1e-6) }
    #expect(!axis.shows(100) && axis.shows(0))
    #expect(axis.ticks(in: 0...99.9).map(\.text) == ["0", "50", "90", "99", "99.9"])
  }

  @Test(arguments: [
    (ChartUnit.seconds, 0.000_000_85, "850 ns"), (.seconds, 41.2e-6, "41.2 µs"),
    (.seconds, 0.999_999_9, "1 s"), (.seconds, 2.185, "2.19 s"), (.seconds, 0, "0"),
    (.perSecond, 520_000, "520 k/s"), (.perSecond, 12.5, "12.5 /s"),
    (.bytes, 1_234_000_000, "1.23 GB"), (.bytes, 512, "512 B"), (.plain, 20_000, "20 k"),
    (.plain, -3.25, "−3.25"), (.moment, 12.5, "12.5 s"), (.moment, 125, "2:05"),
    (.plain, .infinity, "–"), (.moment, 1e300, "153722867280912930:07"),
  ])
  func `numbers have few digits and their unit`(unit: ChartUnit, value: Double, text: String) {
    #expect(unit.text(value) == text)
  }
}
