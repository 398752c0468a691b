// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

/// What one shard knows of the callback that it runs.
@Suite struct CallbackWatchTests {
  private static let one = SessionIdentifier.number(1)

  private static func slow(
    _ seconds: Int, isRunning: Bool, isFirst: Bool
  ) -> SlowCallback {
    SlowCallback(
      callback: .didReceive, session: one, duration: .seconds(seconds), isRunning: isRunning,
      isFirstReport: isFirst)
  }

  private static func running(since begin: Duration) -> CallbackWatch {
    let watch = CallbackWatch(budget: .seconds(10))
    #expect(watch.begin(.didReceive, of: one, at: begin))
    return watch
  }

  @Test func `a watch without a callback has nothing to tell`() {
    let watch = CallbackWatch(budget: .seconds(10))
    #expect(watch.deadline == nil)
    #expect(watch.takeOverdue(at: .seconds(1_000)) == nil)
    #expect(watch.end(at: .seconds(1_000)) == nil)
  }

  @Test func `a callback that returns in time is not reported`() {
    let watch = Self.running(since: .seconds(5))
    #expect(watch.deadline == .seconds(15))
    #expect(watch.takeOverdue(at: .milliseconds(14_999)) == nil)
    #expect(watch.end(at: .milliseconds(14_999)) == nil)
    #expect(watch.deadline == nil)
  }

  @Test func `a callback that was not looked at is reported when it returns`() {
    let watch = Self.running(since: .seconds(5))
    #expect(watch.end(at: .seconds(15)) == Self.slow(10, isRunning: false, isFirst: true))
    #expect(watch.end(at: .seconds(15)) == nil)
  }

  @Test func `one that hangs is reported once, and when it returns`() {
    let watch = Self.running(since: .seconds(5))
    #expect(watch.takeOverdue(at: .seconds(15)) == Self.slow(10, isRunning: true, isFirst: true))
    #expect(watch.takeOverdue(at: .seconds(16)) == nil)
    #expect(watch.deadline == nil)
    #expect(watch.end(at: .seconds(60)) == Self.slow(55, isRunning: false, isFirst: false))
  }

  @Test func `a callback inside of another counts with it`() {
    let watch = Self.running(since: .zero)
    #expect(!watch.begin(.replyTo, of: .number(2), at: .seconds(9)))
    #expect(watch.deadline == .seconds(10))
    #expect(watch.takeOverdue(at: .seconds(12)) == Self.slow(12, isRunning: true, isFirst: true))
  }

  @Test func `the next callback has a budget of its own`() {
    let watch = Self.running(since: .zero)
    _ = watch.takeOverdue(at: .seconds(20))
    _ = watch.end(at: .seconds(20))
    #expect(watch.begin(.didReceive, of: Self.one, at: .seconds(20)))
    #expect(watch.deadline == .seconds(30))
    #expect(watch.takeOverdue(at: .seconds(31)) == Self.slow(11, isRunning: true, isFirst: true))
  }
}
