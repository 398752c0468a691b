// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

/// A client sends as many messages as it may, and not one more.
struct MessageRateTests {
  /// How many messages a client sends before one is too many, up to a limit.
  private static func accepted(
    _ messages: inout MessageRate, rate: Int, limit: Int, at time: (Int) -> Duration
  ) -> Int {
    for number in 0..<limit where messages.isExceeded(at: time(number), rate: rate) {
      return number
    }
    return limit
  }

  @Test(arguments: [1, 10, 100, 100_000])
  func `four seconds' messages may come at once`(_ rate: Int) {
    var messages = MessageRate()
    let count = Self.accepted(&messages, rate: rate, limit: 5 * rate) { _ in .zero }
    #expect(count == 4 * rate)
  }

  @Test func `a client at its rate goes on for ever`() {
    var messages = MessageRate()
    let count = Self.accepted(&messages, rate: 100, limit: 100_000) { .milliseconds(10 * $0) }
    #expect(count == 100_000)
  }

  @Test func `a client above its rate is found out`() {
    var messages = MessageRate()
    let slightly = Self.accepted(&messages, rate: 100, limit: 100_000) { .microseconds(9_900 * $0) }
    // One in a hundred is too many: 400 of them are spent after 40,000.
    #expect((39_890...40_010).contains(slightly))
    messages = MessageRate()
    let doubly = Self.accepted(&messages, rate: 100, limit: 100_000) { .milliseconds(5 * $0) }
    #expect((798...800).contains(doubly))
  }

  @Test func `what is spent comes back with time, and no more than that`() {
    var messages = MessageRate()
    let all = Self.accepted(&messages, rate: 10, limit: 40) { _ in .zero }
    #expect(all == 40)
    let one = Self.accepted(&messages, rate: 10, limit: 40) { _ in .milliseconds(100) }
    #expect(one == 1)
    // A pause of a year is worth as much as one of four seconds.
    let later = Self.accepted(&messages, rate: 10, limit: 100) { _ in .seconds(31_536_000) }
    #expect(later == 40)
  }

  @Test func `no second has more than five seconds' messages, however they come`() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<20 {
      var messages = MessageRate()
      var now = Duration.zero
      var accepted: [Duration] = []
      for _ in 0..<2_000 {
        now += .milliseconds(random.number(below: random.happens(perThousand: 10) ? 4_000 : 30))
        if messages.isExceeded(at: now, rate: 20) { break }
        accepted.append(now)
        accepted.removeFirst(accepted.firstIndex { now - $0 < .seconds(1) } ?? 0)
        #expect(accepted.count <= 100)
      }
    }
  }
}
