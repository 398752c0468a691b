// SPDX-License-Identifier: Apache-2.0

import ProsceniumLoad
import Testing

@Suite struct NumberTextTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_234_567, "1,234,567"),
      (Int.min, "-9,223,372,036,854,775,808"),
    ])
  func `digits in groups of three`(_ number: Int, _ text: String) {
    #expect(NumberText.grouped(number) == text)
  }

  @Test(
    arguments: [
      (3.4, 2, "3.40"), (0.005, 2, "0.01"), (-0.004, 2, "0.00"), (-1.25, 1, "-1.3"), (2.5, 0, "3"),
      (0.0003, 4, "0.0003"), (12, -1, "12"), (1e17, 0, "100000000000000000"), (.nan, 1, "n/a"),
      (.infinity, 1, "n/a"), (1e300, 1, "1e+300"), (-0.06, 1, "-0.1"),
    ] as [(Double, Int, String)])
  func `fixed decimals`(_ number: Double, _ places: Int, _ text: String) {
    #expect(NumberText.fixed(number, places: places) == text)
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (3_400_000, "3.4 MB"),
      (999_949, "999.9 kB"), (999_950, "1.0 MB"), (Int.max, "9.2 EB"), (-1_500, "-1.5 kB"),
    ])
  func `sizes`(_ count: Int, _ text: String) {
    #expect(NumberText.bytes(count) == text)
  }

  @Test(
    arguments: [
      (0, "0 /s"), (850.4, "850 /s"), (999.6, "1.0 k/s"), (1_234_567, "1.2 M/s"),
      (.infinity, "n/a /s"),
    ] as [(Double, String)])
  func `rates`(_ rate: Double, _ text: String) {
    #expect(NumberText.rate(rate) == text)
  }

  @Test(
    arguments: [
      (0, "0:00"), (7.4, "0:07"), (59.6, "1:00"), (760, "12:40"), (10_800, "3:00:00"),
      (36_061, "10:01:01"), (-3, "0:00"), (.nan, "-:--"), (1e30, "-:--"),
    ] as [(Double, String)])
  func `spans of time`(_ seconds: Double, _ text: String) {
    #expect(NumberText.clock(seconds: seconds) == text)
  }
}
