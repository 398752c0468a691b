// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumDashboard

@Suite struct DashboardTokenTests {
  @Test func `a token is 32 digits of what it was drawn from, and matches itself alone`() {
    var random = SplitMix64(seed: 7)
    let token = DashboardToken(using: &random)
    let other = DashboardToken(using: &random)
    #expect(token.text.count == 32)
    #expect(token.text.allSatisfy { "0123456789abcdef".contains($0) })
    #expect(token.text != other.text)
    #expect(token.matches(token.text))
    for wrong in [other.text, "", token.text + "0", String(token.text.dropLast()), "ü"] {
      #expect(!token.matches(wrong))
    }
  }

  @Test func `small halves keep their zeros`() {
    var random = Counter()
    #expect(DashboardToken(using: &random).text == "00000000000000010000000000000002")
  }

  @Test func `a token is not printed by chance`() {
    let token = DashboardToken.ofTests
    #expect(!"\(token)".contains(token.text))
  }

  private struct Counter: RandomNumberGenerator {
    var value: UInt64 = 0
    mutating func next() -> UInt64 {
      value += 1
      return value
    }
  }
}
