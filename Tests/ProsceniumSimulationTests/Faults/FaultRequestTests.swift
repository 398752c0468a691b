// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPrimitives
import ProsceniumSimulation
import Testing

/// Requests that arrive late, twice, or both.
@Suite(.timeLimit(.minutes(10))) struct FaultRequestTests {
  @Test func `submitted requests arrive late and twice as often as the plan says`() throws {
    var plan = FaultPlan(seed: 2)
    plan.requests.duplicatedPerThousand = 100
    plan.requests.delays = .init(perThousand: 200, time: .milliseconds(10) ... .milliseconds(30))
    let made = Guarded<[(number: Int, time: Duration)]>([])
    try FaultStage.run(plan) { stage in
      while !stage.injector.isInjecting { await Task.yield() }
      for number in 0..<1_000 {
        stage.injector.submit { made.withLock { $0.append((number, stage.clock.now.offset)) } }
        try await stage.clock.sleep(for: .milliseconds(1))
      }
      try await stage.clock.sleep(for: .milliseconds(40))
      let counts = stage.injector.counts
      let late = try #require(counts[.requestDelayed])
      let double = try #require(counts[.requestDuplicated])
      #expect((150...250).contains(late))
      #expect((60...140).contains(double))
      let requests = made.withLock { $0 }
      #expect(requests.count == 1_000 + double)
      #expect(Set(requests.map(\.number)).count == 1_000)
      // Each is made as late as it was said, to the tick.
      let first = try #require(requests.first).time
      let delays = requests.map { $0.time - first - .milliseconds($0.number) }
      #expect(delays.allSatisfy { $0 == .zero || $0 >= .milliseconds(10) })
      #expect(delays.allSatisfy { $0 <= .milliseconds(31) })
      #expect(requests.map(\.number) != requests.map(\.number).sorted())
    }
  }

  @Test func `what is held back is made when the injection ends, in its order`() throws {
    var plan = FaultPlan(seed: 2)
    plan.requests.delays = .init(perThousand: 1_000, time: .seconds(10) ... .seconds(10))
    let made = Guarded<[Int]>([])
    try FaultStage.run(plan) { stage in
      stage.injector.submit { made.withLock { $0.append(-1) } }
      while !stage.injector.isInjecting { await Task.yield() }
      // No more than 10,000 of them are held back.
      for number in 0..<10_001 {
        stage.injector.submit { made.withLock { $0.append(number) } }
      }
      #expect(made.withLock { $0 } == [-1, 10_000])
      #expect(stage.injector.counts[.requestDelayed] == 10_000)
    }
    #expect(made.withLock { $0 } == [-1, 10_000] + Array(0..<10_000))
  }

  @Test func `awaited requests arrive late and twice, and are answered once`() throws {
    var plan = FaultPlan(seed: 2)
    plan.requests.duplicatedPerThousand = 1_000
    plan.requests.delays = .init(perThousand: 1_000, time: .seconds(1) ... .seconds(2))
    try FaultStage.run(plan) { stage in
      while !stage.injector.isInjecting { await Task.yield() }
      let session = try await stage.injector.perform {
        try await stage.application.host.newSession()
      }
      #expect(session.persistentIdentifier == .numbered(1))
      #expect(stage.application.openSessions.count == 2)
      #expect(stage.clock.now.offset >= .seconds(1))
      #expect(stage.injector.counts == [.requestDuplicated: 1, .requestDelayed: 1])
      await #expect(throws: SceneError.self) {
        try await stage.injector.perform {
          try await stage.application.host.perform(.connect(SessionIdentifier.numbered(9)))
        }
      }
    }
  }
}
