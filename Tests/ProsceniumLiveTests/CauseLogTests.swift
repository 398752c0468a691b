// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import ProsceniumLive

/// What others do wrong is logged as often as the host likes.
struct CauseLogTests {
  /// A time that moves when a test says so.
  private final class ManualTime: Sendable {
    private let time = Guarded(Duration.zero)

    var elapsed: @Sendable () -> Duration { { [self] in time.withLock { $0 } } }

    func advance(by duration: Duration) {
      time.withLock { $0 += duration }
    }
  }

  private let lines = LogLines()
  private let time = ManualTime()
  private let log: CauseLog

  init() {
    log = CauseLog(lines.logger, elapsed: time.elapsed)
  }

  @Test func `the first is logged at once, those of the next minute in one line`() {
    log.note(.wrongHost)
    #expect(lines.take() == ["warning: wrong host, count 1, seconds 60.0"])
    for _ in 0..<1_000 { log.note(.wrongHost) }
    time.advance(by: .seconds(60) - .nanoseconds(1))
    log.note(.wrongHost)
    log.flush()
    #expect(lines.take() == [])
    time.advance(by: .nanoseconds(1))
    log.note(.wrongHost)
    #expect(lines.take() == ["warning: wrong host, count 1002, seconds 60.0"])
    log.flush()
    #expect(lines.take() == [])
  }

  @Test func `what has gathered is written without another one`() {
    log.note(.tooFast)
    log.note(.tooFast)
    log.note(.tooFast)
    _ = lines.take()
    time.advance(by: .seconds(60))
    log.flush()
    #expect(lines.take() == ["warning: too many messages, count 2, seconds 60.0"])
    time.advance(by: .seconds(600))
    log.flush()
    #expect(lines.take() == [])
    log.note(.tooFast)
    #expect(lines.take() == ["warning: too many messages, count 1, seconds 60.0"])
  }

  @Test func `each cause has its own line, in the order of the alphabet`() {
    for cause in RefusalCause.allCases {
      log.note(cause)
      log.note(cause)
    }
    let first = lines.take()
    #expect(first == RefusalCause.allCases.map { "warning: \($0.rawValue), count 1, seconds 60.0" })
    time.advance(by: .seconds(60))
    log.flush()
    #expect(lines.take() == first.sorted())
  }

  @Test func `many tasks log one line, and none is lost`() async {
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [log] in
          for _ in 0..<500 { log.note(.silent) }
        }
      }
    }
    #expect(lines.take() == ["warning: client does not answer, count 1, seconds 60.0"])
    time.advance(by: .seconds(60))
    log.flush()
    #expect(lines.take() == ["warning: client does not answer, count 3999, seconds 60.0"])
  }
}
