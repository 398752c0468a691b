// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Synchronization
import Testing

@testable import ProsceniumLoad

/// A clock that is stopped until it is moved.
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

/// What was written.
private final class Page: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  /// Takes what was written since it was last asked.
  func take() -> [String] {
    texts.withLock { texts in
      defer { texts = [] }
      return texts
    }
  }
}

@Suite struct ProgressLineTests {
  private let clock = HandClock()
  private let page = Page()

  private func line(columns: Int?) -> ProgressLine {
    ProgressLine(columns: columns, clock: clock) { [page] in page.add($0) }
  }

  @Test(
    arguments: [
      (
        5_000, 0.5, 5.0,
        "[##########..........]  50 %  5,000 requests  1.0 k/s  0:05 elapsed  0:05 left"
      ),
      (0, 0.0, 5.0, "[....................]   0 %  0 requests  0 /s  0:05 elapsed"),
      (9, 1.0, 61.0, "[####################] 100 %  9 requests  0 /s  1:01 elapsed  0:00 left"),
      (50, 1.7, 5.0, "[####################] 100 %  50 requests  10 /s  0:05 elapsed  0:00 left"),
      (12_345, nil, 5.0, "12,345 requests  2.5 k/s  0:05 elapsed"),
      (5, .nan, 5.0, "[....................]   0 %  5 requests  1 /s  0:05 elapsed"),
    ] as [(Int, Double?, Double, String)])
  func `positions in words`(
    _ requests: Int, _ fraction: Double?, _ seconds: Double, _ text: String
  ) {
    let line = line(columns: nil)
    clock.advance(by: .seconds(seconds))
    line.show(fraction) { Self.parts(requests, $0) }
    #expect(page.take() == [text + "\n"])
  }

  @Test func `a terminal's line is rewritten ten times a second`() {
    let line = line(columns: 40)
    line.show(nil) { Self.parts(10, $0) }
    clock.advance(by: .milliseconds(99))
    line.show(nil) { Self.parts(10, $0) }
    #expect(page.take() == [])
    clock.advance(by: .milliseconds(1))
    for _ in 1...2 { line.show(nil) { Self.parts(10, $0) } }
    #expect(page.take() == ["\r10 requests  100 /s  0:00 elapsed\u{1B}[K"])
    clock.advance(by: .milliseconds(100))
    line.show(nil) { Self.parts(10, $0) }
    line.end()
    #expect(page.take().last == "\r\u{1B}[K")
    #expect(line.elapsed == .milliseconds(200))
  }

  @Test func `a file gets a line every five seconds`() {
    let line = line(columns: nil)
    clock.advance(by: .milliseconds(4_999))
    line.show(nil) { Self.parts(10, $0) }
    #expect(page.take() == [])
    clock.advance(by: .milliseconds(1))
    for _ in 1...2 { line.show(nil) { Self.parts(10, $0) } }
    line.end()
    #expect(page.take() == ["10 requests  2 /s  0:05 elapsed\n"])
  }

  @Test(arguments: [0, 10])
  func `a narrow terminal never wraps`(columns: Int) {
    let line = line(columns: columns)
    clock.advance(by: .seconds(1))
    line.show(0.5) { Self.parts(1, $0) }
    #expect(page.take() == ["\r" + "[##########".prefix(max(columns - 1, 0)) + "\u{1B}[K"])
  }

  @Test func `what was done before the beginning takes no time`() {
    let line = line(columns: nil)
    clock.advance(by: .seconds(10))
    line.show(0.75, from: 0.5) { _ in [] }
    #expect(page.take() == ["[###############.....]  75 %  0:10 elapsed  0:10 left\n"])
  }

  private static func parts(_ requests: Int, _ seconds: Double) -> [String] {
    [
      NumberText.grouped(requests) + " requests", NumberText.rate(Double(requests) / seconds),
    ]
  }
}
