// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ProsceniumSimulation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct ManualClockTests {
  private let clock = ManualClock()

  @Test func `time passes only when the clock is moved`() {
    #expect(clock.now == ManualClock.Instant())
    clock.advance(by: .seconds(3))
    clock.advance(by: .zero)
    clock.advance(by: .seconds(-1))
    #expect(clock.now == ManualClock.Instant(offset: .seconds(3)))
  }

  @Test func `a moment that has come is not waited for`() async throws {
    try await clock.sleep(until: clock.now)
    clock.advance(by: .seconds(1))
    try await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `sleepers wake in the order of their deadlines and none before its own`() async {
    let woken = Notes()
    let hand = HandExecutor()
    await withTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2, 5] {
        group.addTask(executorPreference: hand) {
          try? await clock.sleep(for: .seconds(seconds))
          woken.add(seconds)
        }
      }
      hand.runAll()
      #expect(clock.sleeperCount == 4)
      clock.advance(by: .milliseconds(999))
      hand.runAll()
      #expect(woken.all == [])
      clock.advance(by: .milliseconds(2_001))
      hand.runAll()
      #expect(woken.all == [1, 2, 3])
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .seconds(2))
      hand.runAll()
      #expect(woken.all == [1, 2, 3, 5])
    }
  }

  @Test func `those with the same deadline wake in the order in which they came`() async {
    let woken = Notes()
    let hand = HandExecutor()
    await withTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask(executorPreference: hand) {
          try? await clock.sleep(for: .seconds(1))
          woken.add(number)
        }
      }
      hand.runAll()
      clock.advance(by: .seconds(1))
      hand.runAll()
      #expect(woken.all == [1, 2, 3, 4])
    }
  }

  @Test func `a cancelled sleeper wakes at once and alone`() async {
    let cancelled = Notes()
    let hand = HandExecutor()
    await withTaskGroup(of: Void.self) { others in
      others.addTask(executorPreference: hand) {
        do { try await clock.sleep(for: .seconds(1)) } catch { cancelled.add(1) }
      }
      hand.runAll()
      await withTaskGroup(of: Void.self) { group in
        group.addTask(executorPreference: hand) {
          do { try await clock.sleep(for: .seconds(1)) } catch { cancelled.add(2) }
        }
        hand.runAll()
        #expect(clock.sleeperCount == 2)
        group.cancelAll()
        hand.runAll()
      }
      #expect(cancelled.all == [2])
      #expect(clock.sleeperCount == 1)
      clock.advance(by: .seconds(1))
      hand.runAll()
    }
    #expect(cancelled.all == [2])
  }

  @Test func `a task that is cancelled already does not sleep`() async {
    let cancelled = Notes()
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        do { try await clock.sleep(for: .seconds(1)) } catch { cancelled.add(1) }
      }
    }
    #expect(cancelled.all == [1])
    #expect(clock.sleeperCount == 0)
  }

  @Test func `the ends of time are not passed`() {
    let longest = Duration(attoseconds: .max)
    let last = ManualClock.Instant(offset: longest)
    let first = ManualClock.Instant(offset: Duration(attoseconds: .min))
    #expect(last.advanced(by: .seconds(1)) == last)
    #expect(first.advanced(by: .seconds(-1)) == first)
    #expect(first.duration(to: last) == longest)
    #expect(last.duration(to: first) == Duration(attoseconds: .min))
    clock.advance(by: longest)
    clock.advance(by: longest)
    #expect(clock.now == last)
  }
}

/// Numbers in the order in which they were added.
private final class Notes: Sendable {
  private let numbers = Mutex<[Int]>([])

  var all: [Int] { numbers.withLock { $0 } }

  func add(_ number: Int) {
    numbers.withLock { $0.append(number) }
  }
}
