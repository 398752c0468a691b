// SPDX-License-Identifier: Apache-2.0

import Foundation
import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// Clocks that jump.
@Suite(.timeLimit(.minutes(10))) struct FaultClockTests {
  @Test func `tasks that sleep by the clock wake when it jumps over their time`() throws {
    var plan = FaultPlan(seed: 1)
    plan.clockJumps = [
      .init(at: .seconds(50), by: .seconds(1_000)), .init(at: .seconds(10), by: .seconds(100)),
    ]
    let executor = SeededExecutor(seed: 1)
    let manual = executor.clock
    let faults = FaultLog()
    let injector = FaultInjector(plan, clock: manual) { faults.add($0) }
    var settings = ApplicationSettings()
    settings.clock = manual
    injector.install(in: &settings)
    let clock = settings.clock
    let woken = try executor.run {
      // It sleeps already when the injection begins.
      await withTaskGroup(of: (Int, Duration).self) { group in
        for seconds in [2, 60, 112, 500, 2_000] {
          group.addTask {
            try? await clock.sleep(for: .seconds(seconds))
            return (seconds, manual.now.offset)
          }
        }
        group.addTask {
          try? await manual.sleep(for: .seconds(1))
          injector.begin()
          return (0, manual.now.offset)
        }
        return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
    }
    // The injection begins after a second: jumps come at 11 s and at 51 s.
    #expect(
      woken == [
        0: .seconds(1), 2: .seconds(2), 60: .seconds(11), 112: .seconds(12), 500: .seconds(51),
        2_000: .seconds(900),
      ])
    #expect(faults.faults.map(\.kind) == [.clockJump, .clockJump])
    #expect(faults.faults.map(\.moment) == [.seconds(10), .seconds(50)])
    #expect(faults.faults.map(\.duration) == [.seconds(100), .seconds(1_000)])
  }

  @Test func `a cancelled task does not sleep on`() throws {
    var plan = FaultPlan(seed: 1)
    plan.clockJumps = [.init(at: .seconds(50), by: .seconds(1))]
    let executor = SeededExecutor(seed: 1)
    let manual = executor.clock
    var settings = ApplicationSettings()
    settings.clock = manual
    FaultInjector(plan, clock: manual).install(in: &settings)
    let clock = settings.clock
    let result = try executor.run {
      await withTaskGroup(of: Result<Void, any Error>.self) { group in
        group.addTask {
          do { return .success(try await clock.sleep(for: .seconds(1_000))) } catch {
            return .failure(error)
          }
        }
        try? await manual.sleep(for: .seconds(3))
        group.cancelAll()
        return await group.next()
      }
    }
    #expect(throws: CancellationError.self) { try result?.get() }
    #expect(manual.now.offset == .seconds(3))
  }

  @Test func `the date is set forward and back, and wakes go by it`() throws {
    var plan = FaultPlan(seed: 1)
    plan.wallClockJumps = [
      .init(at: .seconds(10), by: .seconds(3_600)), .init(at: .seconds(600), by: .seconds(-7_200)),
    ]
    let woken = Guarded<[Duration]>([])
    try FaultStage.run(
      plan, sessions: 1,
      prepare: { settings, injector in
        let clock = settings.clock as? ManualClock
        let now: @Sendable () -> Duration = { clock?.now.offset ?? .zero }
        settings.wallClock = { Date(timeIntervalSince1970: now() / .seconds(1)) }
        settings.observer = { event in
          if case .woken = event.kind { woken.withLock { $0.append(now()) } }
        }
        injector.install(in: &settings)
      }
    ) { stage in
      let activity = UserActivity("wake")
      for seconds in [3_500.0, 4_000] {
        _ = try await stage.application.wake(
          SessionIdentifier.numbered(1), at: Date(timeIntervalSince1970: seconds), activity)
      }
      try await stage.clock.sleep(for: .seconds(1_000))
      #expect(stage.injector.counts == [.wallClockJump: 2])
    }
    let moments = woken.withLock { $0 }
    // The first is due at the jump, and is found within a minute; the second has its time before
    // the date is set back.
    try #require(moments.count == 2)
    #expect(moments[0] >= .seconds(10) && moments[0] <= .seconds(70))
    #expect(moments[1] >= .seconds(400) && moments[1] <= .seconds(460))
  }

  @Test func `what has no fault in the plan is left alone`() {
    var settings = ApplicationSettings()
    FaultInjector(FaultPlan(seed: 1)).install(in: &settings)
    #expect(settings.clock is ContinuousClock)
    #expect(settings.makeFront == nil)
  }
}
