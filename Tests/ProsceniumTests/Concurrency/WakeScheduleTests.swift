// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

@testable import Proscenium

@Suite(.timeLimit(.minutes(10))) struct WakeScheduleTests {
  private let clock = ManualClock()
  private let now = WallTime()

  /// A wall clock in milliseconds.
  private final class WallTime: Sendable {
    let value = Guarded<Int64>(0)
  }

  private var schedule: WakeSchedule {
    WakeSchedule(clock: clock) { [now] in now.value.withLock { $0 } }
  }

  private func take(_ schedule: WakeSchedule, at time: Int64) -> [UInt32] {
    now.value.withLock { $0 = time }
    return schedule.takeDue { session, _ in session.rawValue }.results
  }

  private func session(_ number: UInt32) -> SessionHandle { SessionHandle(rawValue: number) }

  @Test func `what is due is taken once, by time and then by session`() {
    let schedule = schedule
    for (number, time) in [(4, 20), (3, 10), (2, 10), (1, 30)] as [(UInt32, Int64)] {
      schedule.set(session(number), time)
    }
    #expect(take(schedule, at: 9) == [])
    #expect(take(schedule, at: 20) == [2, 3, 4])
    #expect(take(schedule, at: 20) == [])
    #expect(take(schedule, at: .max) == [1])
    #expect(schedule.count == 0)
  }

  @Test func `the last time of a session holds`() {
    let schedule = schedule
    schedule.set(session(1), 10)
    schedule.set(session(1), 50)
    schedule.set(session(2), 10)
    schedule.set(session(2), nil)
    schedule.set(session(3), 50)
    schedule.set(session(3), 10)
    #expect(take(schedule, at: 49) == [3])
    #expect(take(schedule, at: 50) == [1])
    #expect(take(schedule, at: .max) == [])
  }

  @Test func `what does not hold any more takes no room`() {
    let schedule = schedule
    for time in 1...10_000 as ClosedRange<Int64> {
      schedule.set(session(UInt32(time % 3)), 20_000 - time)
    }
    #expect(schedule.count == 3)
    #expect(schedule.entryCount <= 3 * 2 + 65)
    #expect(take(schedule, at: 20_000) == [1, 0, 2])
  }

  @Test func `the random order of calls comes to the order of times`() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<200 {
      let schedule = schedule
      var expected: [UInt32: Int64] = [:]
      for _ in 0..<100 {
        let number = UInt32(random.number(below: 12))
        let time = random.number(below: 5) == 0 ? nil : Int64(random.number(below: 40))
        schedule.set(session(number), time)
        expected[number] = time
      }
      let order = expected.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
      #expect(take(schedule, at: 40) == order)
    }
  }

  @Test func `the wall clock is looked at once a minute, and no task sleeps without a wake`()
    async throws
  {
    let schedule = schedule
    try await withThrowingTaskGroup { group in
      group.addTask {
        while await schedule.waitForDue() {
          _ = schedule.takeDue { _, _ in () }
        }
      }
      for _ in 0..<100 { await Task.yield() }
      #expect(clock.sleeperCount == 0)
      schedule.set(session(1), 3_600_000)
      while clock.sleeperCount == 0 { await Task.yield() }
      clock.advance(by: .seconds(59))
      #expect(clock.sleeperCount == 1)
      // The wall clock is set forward: no task that sleeps is told.
      now.value.withLock { $0 = 7_200_000 }
      clock.advance(by: .seconds(1))
      while schedule.count > 0 { await Task.yield() }
      group.cancelAll()
      try await group.waitForAll()
    }
  }

  @Test(
    arguments: [
      (0, 0), (1.0004, 1_000), (1.0006, 1_001), (-1.5, -1_500), (.infinity, 1 << 53),
      (-.infinity, -(1 << 53)), (.nan, -(1 << 53)), (1e300, 1 << 53), (-1e300, -(1 << 53)),
    ] as [(Double, Int64)])
  func `a date is kept to the millisecond, whatever it is`(seconds: Double, time: Int64) {
    #expect(Wake.time(of: Date(timeIntervalSince1970: seconds)) == time)
  }

  @Test func `the date of a wake is its time`() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<10_000 {
      let time = Int64(random.number(below: 1 << 43)) - 1 << 42
      let wake = Wake(id: Wake.ID(rawValue: 1), time: time, activity: UserActivity("a"))
      #expect(Wake.time(of: wake.date) == time)
    }
  }
}
