// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// Disconnects, discards and kills, by rate and at moments.
@Suite(.timeLimit(.minutes(10))) struct FaultStrikeTests {
  @Test func `a plan of nothing does nothing`() throws {
    let counts = try FaultStage.run(FaultPlan(seed: 1), sessions: 5) { stage in
      try await stage.clock.sleep(for: .seconds(1_000))
      #expect(stage.application.connectedSceneCount == 5)
      return stage.injector.counts
    }
    #expect(counts.isEmpty)
  }

  @Test(arguments: [0.5, 7, 100, 10_000])
  func `as many discards come as the rate says`(rate: Double) throws {
    var plan = FaultPlan(seed: 3)
    plan.discards.perSecond = rate
    let time = Duration.milliseconds(rate > 1_000 ? 200 : 20_000)
    let expected = Int(rate * (time / .seconds(1)))
    let (strikes, open) = try FaultStage.run(plan, sessions: 50) { stage in
      await withTaskGroup { group in
        // As many come as go.
        group.addTask {
          while !Task.isCancelled {
            try? await stage.clock.sleep(for: .milliseconds(1))
            while stage.application.openSessions.count < 50 {
              _ = try? await stage.application.host.newSession()
            }
          }
        }
        try? await stage.clock.sleep(for: time + .microseconds(500))
        group.cancelAll()
      }
      stage.injector.end()
      await stage.application.settle()
      return (stage.injector.counts[.discard], stage.application.openSessions.count)
    }
    #expect(strikes == expected)
    #expect(open <= 50)
  }

  @Test func `scenes in the foreground go through the background, and their sessions stay`() throws
  {
    var plan = FaultPlan(seed: 3)
    plan.disconnects.perSecond = 100
    try FaultStage.run(plan, sessions: 20) { stage in
      #expect(stage.application.applicationState == .active)
      try await stage.clock.sleep(for: .milliseconds(205))
      await stage.application.settle()
      #expect(stage.application.connectedSceneCount == 0)
      #expect(stage.application.openSessions.count == 20)
      #expect(stage.injector.counts == [.disconnect: 20])
      #expect(stage.injector.refusals == 0)
      let struck = Set(stage.faults.faults.compactMap(\.session))
      #expect(struck == Set(stage.application.openSessions.map(\.persistentIdentifier)))
      // No session is left, and none is looked for all the time.
      try await stage.clock.sleep(for: .seconds(1))
      #expect(stage.injector.counts == [.disconnect: 20])
      #expect(stage.injector.misses >= 99)
    }
  }

  @Test func `strikes and kills come at their moments`() throws {
    var plan = FaultPlan(seed: 3)
    plan.disconnects.moments = [.seconds(2), .milliseconds(500)]
    plan.discards.moments = [.seconds(2)]
    plan.kills = [.seconds(3), .seconds(1)]
    try FaultStage.run(plan, sessions: 5) { stage in
      try await stage.clock.sleep(for: .seconds(10))
      let faults = stage.faults.faults
      #expect(
        faults.map(\.kind) == [.disconnect, .kill, .disconnect, .discard, .kill])
      #expect(
        faults.map(\.moment)
          == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(2), .seconds(3)])
      #expect(stage.application.openSessions.count == 4)
    }
  }

  @Test func `the same seeds strike the same sessions, and other ones others`() throws {
    var plan = FaultPlan(seed: 3)
    plan.disconnects.perSecond = 300
    plan.discards.perSecond = 100
    var runs: [[InjectedFault]] = []
    for (planSeed, seed) in [(3, 1), (3, 1), (4, 1)] as [(UInt64, UInt64)] {
      plan.seed = planSeed
      runs.append(
        try FaultStage.run(plan, seed: seed, sessions: 100) { stage in
          try await stage.clock.sleep(for: .microseconds(200_500))
          return stage.faults.faults
        })
    }
    #expect(runs[0].count == 80)
    #expect(runs[0] == runs[1])
    #expect(runs[0] != runs[2])
  }

  @Test func `an injector that is told to end ends at once, however late its next moment is`()
    throws
  {
    var plan = FaultPlan(seed: 3)
    plan.discards.moments = [.seconds(1_000)]
    let late = plan
    try FaultStage.run(FaultPlan(seed: 1), sessions: 1) { stage in
      let injector = FaultInjector(late, clock: stage.clock)
      let elapsed = stage.clock.stopwatch()
      await withTaskGroup { group in
        group.addTask { await injector.run(against: stage.application) }
        try? await stage.clock.sleep(for: .seconds(1))
        injector.end()
        await group.waitForAll()
      }
      #expect(elapsed() == .seconds(1))
      #expect(injector.counts.isEmpty)
    }
  }

  @Test func `a program can choose who is struck`() throws {
    let executor = SeededExecutor(seed: 1)
    let clock = executor.clock
    var plan = FaultPlan(seed: 3)
    plan.discards.moments = [.seconds(1), .seconds(2)]
    let injector = FaultInjector(
      plan, clock: clock, choose: { kind, _ in kind == .discard ? .numbered(2) : nil })
    try executor.run {
      var settings = ApplicationSettings()
      settings.taskExecutor = executor
      settings.clock = clock
      settings.identifiers = .counted()
      let application = Application(
        manifest: SceneManifest([SceneConfiguration("Main") { IdleDelegate() }]), settings: settings
      )
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await application.run() }
        for _ in 0..<3 { try await application.host.newSession() }
        group.addTask { await injector.run(against: application) }
        try await clock.sleep(for: .seconds(5))
        let open = application.openSessions.map(\.persistentIdentifier).sorted()
        #expect(open == [.numbered(1), .numbered(3)])
        #expect(injector.counts == [.discard: 2])
        #expect(injector.refusals == 1)
        group.cancelAll()
        try await group.waitForAll()
      }
    }
  }
}
