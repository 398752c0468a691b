// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ProsceniumLive

/// A connection ends when it has to, and lasts as long as the other side is there.
struct ConnectionTimesTests {
  private static let limits = ConnectionTimes.Limits(request: 20, ping: 25, stall: 30)

  /// A line since the beginning, with a token for so many seconds.
  private static func line(for lifetime: UInt64 = 1_000_000) -> ConnectionTimes {
    var times = ConnectionTimes(now: 0)
    times.becomeLine(0, date: date(0), until: date(0) + lifetime)
    return times
  }

  private static func date(_ now: Int) -> UInt64 { 1_700_000_000 + UInt64(now) }

  private static func due(_ times: inout ConnectionTimes, _ now: Int) -> ConnectionTimes.Due? {
    times.due(now, date: date(now), limits)
  }

  /// What is due in each second up to one, if something is.
  private static func due(
    _ times: inout ConnectionTimes, _ seconds: ClosedRange<Int>
  ) -> [Int: ConnectionTimes.Due] {
    var all: [Int: ConnectionTimes.Due] = [:]
    for now in seconds { all[now] = due(&times, now) }
    return all
  }

  // MARK: - Silence

  @Test func `a silent line gets one ping, and then its end`() {
    var times = Self.line()
    #expect(Self.due(&times, 0...50) == [25: .ping, 50: .end(.silent)])
  }

  @Test func `a line that answers gets a ping for each silence`() {
    var times = Self.line()
    #expect(Self.due(&times, 0...30) == [25: .ping])
    times.hear(30)
    #expect(Self.due(&times, 31...70) == [55: .ping])
    times.hear(79)
    #expect(Self.due(&times, 79...104) == [104: .ping])
    #expect(Self.due(&times, 105...129) == [129: .end(.silent)])
  }

  @Test func `a line that says something gets no ping`() {
    var times = Self.line()
    for now in stride(from: 0, to: 2_000, by: 24) {
      times.hear(now)
      #expect(Self.due(&times, now...now + 23).isEmpty)
    }
  }

  @Test func `an inspection that comes late asks before it ends`() {
    var times = Self.line()
    #expect(Self.due(&times, 500) == .ping)
    #expect(Self.due(&times, 524) == nil)
    #expect(Self.due(&times, 525) == .end(.silent))
  }

  // MARK: - Stalls

  @Test func `a line that reads nothing for too long ends`() {
    var times = Self.line()
    times.setWritable(false, 10)
    for now in 10..<40 {
      times.hear(now)
      // It is told again and again; that is no new beginning.
      times.setWritable(false, now)
      #expect(Self.due(&times, now) == nil)
    }
    #expect(Self.due(&times, 40) == .end(.neverReads))
  }

  @Test func `a line that reads a little goes on`() {
    var times = Self.line()
    for now in 0..<500 {
      times.hear(now)
      times.setWritable(now.isMultiple(of: 29), now)
      #expect(Self.due(&times, now) == nil)
    }
  }

  // MARK: - Tokens

  /// What is due of a line that always answers.
  private static func lively(
    _ times: inout ConnectionTimes, _ seconds: ClosedRange<Int>
  ) -> [Int: ConnectionTimes.Due] {
    var all: [Int: ConnectionTimes.Due] = [:]
    for now in seconds {
      times.hear(now)
      all[now] = due(&times, now)
    }
    return all
  }

  @Test func `a token is renewed once at half of its time, and ends the line with it`() {
    var times = Self.line(for: 100)
    #expect(Self.lively(&times, 0...100) == [50: .renewal, 100: .end(.expiredToken)])
  }

  @Test func `a new token is renewed at half of its own time`() {
    var times = Self.line(for: 100)
    #expect(Self.lively(&times, 0...60) == [50: .renewal])
    times.setExpiry(Self.date(160), date: Self.date(60))
    #expect(Self.lively(&times, 61...160) == [110: .renewal, 160: .end(.expiredToken)])
  }

  @Test(arguments: [0, 1] as [UInt64])
  func `a token that has ended ends the line at once`(_ lifetime: UInt64) {
    var times = Self.line(for: lifetime)
    let now = Int(lifetime)
    #expect(Self.due(&times, now) == .end(.expiredToken))
    times.setExpiry(5, date: Self.date(0))
    #expect(Self.due(&times, 1) == .end(.expiredToken))
  }

  @Test func `a token without end never ends a line`() {
    var times = ConnectionTimes(now: 0)
    times.becomeLine(0, date: Self.date(0), until: .max)
    #expect(Self.lively(&times, 0...1_000).isEmpty)
  }

  @Test func `a renewal does not put a ping off`() {
    var times = Self.line(for: 50)
    #expect(Self.due(&times, 0...49) == [25: .renewal, 26: .ping])
  }

  // MARK: - Requests and the end

  @Test func `a connection without a request ends, and its token does not matter`() {
    var times = ConnectionTimes(now: 7)
    #expect(Self.due(&times, 7...27) == [27: .abort])
    times.hear(30)
    times.setWritable(false, 30)
    #expect(Self.due(&times, 30...50) == [50: .abort])
  }

  @Test func `a request that becomes a line has the times of a line`() {
    var times = ConnectionTimes(now: 0)
    times.becomeLine(19, date: Self.date(19), until: Self.date(10_000))
    #expect(Self.due(&times, 19...60) == [44: .ping])
  }

  @Test func `a connection that does not close is closed`() {
    var times = Self.line(for: 100)
    times.setWritable(false, 0)
    times.close(99)
    #expect(Self.due(&times, 99...102) == [102: .abort])
    #expect(Self.due(&times, 103) == .abort)
  }

  // Else a client that was told to go keeps its place, as one sends a message every two seconds.
  @Test func `what a client says after its end does not put it off`() {
    var times = ConnectionTimes(now: 0)
    times.becomeLine(0, date: 0, until: 1_000)
    times.close(10)
    times.hear(12)
    let due = times.due(13, date: 13, ConnectionTimes.Limits(request: 20, ping: 25, stall: 30))
    #expect(due == .abort)
  }
}
