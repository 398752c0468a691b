// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLoad

@Suite struct CSVNumberTests {
  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (1e-5, "0.00001"),
      (1.25e-7, "0.000000125"), (-2.5e-10, "-0.00000000025"), (1e16, "10000000000000000"),
      (1.5e20, "150000000000000000000"), (123_456_789.25, "123456789.25"),
      (9_007_199_254_740_992, "9007199254740992"), (1.2345678901234567e19, "12345678901234567000"),
    ])
  func `doubles are written without an exponent`(_ value: Double, _ text: String) {
    #expect(CSVNumber(value)?.description == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `what is not finite is no number`(_ value: Double) {
    #expect(CSVNumber(value) == nil)
  }

  @Test func `every double comes back`() throws {
    var random = SplitMix64(seed: 4)
    for extreme in [Double.leastNonzeroMagnitude, .greatestFiniteMagnitude, .ulpOfOne] {
      #expect(Double(try #require(CSVNumber(extreme)).description) == extreme)
    }
    for _ in 0..<5_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = try #require(CSVNumber(value)).description
      #expect(Double(text) == value)
      #expect(text.allSatisfy { $0.isNumber || $0 == "." || $0 == "-" })
    }
  }

  @Test func `whole numbers are exact`() {
    #expect(CSVNumber(UInt64.max).description == "18446744073709551615")
    #expect(CSVNumber(Int64.min).description == "-9223372036854775808")
    #expect((42 as CSVNumber).description == "42")
  }
}
