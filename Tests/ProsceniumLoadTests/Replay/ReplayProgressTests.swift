// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization
import Testing

@testable import ProsceniumLoad

/// A clock that stands still until it is moved.
private final class HandClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
  }

  private let offset = Mutex(Duration.zero)
  var now: Instant { Instant(offset: offset.withLock { $0 }) }
  var minimumResolution: Duration { .nanoseconds(1) }
  func advance(by duration: Duration) { offset.withLock { $0 += duration } }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

@Suite struct ReplayProgressTests {
  @Test(
    arguments: [
      (
        5_000, 0.5, 4.0,
        "[##########..........]  50 %  5,000 requests  1.3 k/s  0:04 elapsed  0:04 left"
      ),
      (0, 0.0, 0.0, "[....................]   0 %  0 requests  0:00 elapsed"),
      (
        9, 1.0, 61.0,
        "[####################] 100 %  9 requests  0 /s  1:01 elapsed  0:00 left"
      ),
      (
        9, 1.7, 1.0,
        "[####################] 100 %  9 requests  9 /s  0:01 elapsed  0:00 left"
      ),
      (12_345, nil, 2.0, "12,345 requests  6.2 k/s  0:02 elapsed"),
      (1, .nan, 1.0, "[....................]   0 %  1 requests  1 /s  0:01 elapsed"),
    ] as [(Int, Double?, Double, String)])
  func `positions in words`(
    _ requests: Int, _ fraction: Double?, _ seconds: Double, _ line: String
  ) {
    let position = ReplayPosition(requests: requests, fraction: fraction)
    #expect(position.line(elapsed: .seconds(seconds), columns: nil) == line)
    #expect(position.line(elapsed: .seconds(seconds), columns: 10) == String(line.prefix(10)))
    #expect(position.line(elapsed: .seconds(seconds), columns: 0) == "")
  }

  @Test func `a terminal's line is rewritten ten times a second`() {
    let clock = HandClock()
    var progress = ReplayProgress(.terminal(columns: 40), clock: clock)
    let position = ReplayPosition(requests: 10, fraction: nil)
    #expect(progress.text(position) == nil)
    clock.advance(by: .milliseconds(99))
    #expect(progress.text(position) == nil)
    clock.advance(by: .milliseconds(1))
    #expect(progress.text(position) == "\r10 requests  100 /s  0:00 elapsed\u{1B}[K")
    #expect(progress.text(position) == nil)
    clock.advance(by: .milliseconds(100))
    #expect(progress.text(position) != nil)
    #expect(progress.end == "\r\u{1B}[K")
    #expect(progress.elapsed == .milliseconds(200))
  }

  @Test func `a file gets a line every five seconds`() {
    let clock = HandClock()
    var progress = ReplayProgress(.lines, clock: clock)
    let position = ReplayPosition(requests: 10, fraction: nil)
    clock.advance(by: .milliseconds(4_999))
    #expect(progress.text(position) == nil)
    clock.advance(by: .milliseconds(1))
    #expect(progress.text(position) == "10 requests  2 /s  0:05 elapsed\n")
    #expect(progress.text(position) == nil)
    #expect(progress.end == "")
  }

  @Test func `a narrow terminal never wraps`() {
    let clock = HandClock()
    var progress = ReplayProgress(.terminal(columns: 0), clock: clock)
    clock.advance(by: .seconds(1))
    #expect(progress.text(ReplayPosition(requests: 1, fraction: 0.5)) == "\r\u{1B}[K")
  }
}
