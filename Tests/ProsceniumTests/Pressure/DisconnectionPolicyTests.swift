// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

/// What a policy's values may be.
@Suite struct DisconnectionPolicyTests {
  @Test func `it is set up in a few lines`() {
    var settings = ApplicationSettings()
    var policy = DisconnectionPolicy()
    policy.sceneLimit = 100_000
    policy.idleTime = .seconds(30 * 60)
    policy.memory = .cgroup().withPressureStall()
    settings.disconnectionPolicy = policy
    #expect(settings.inRange.disconnectionPolicy?.sceneLimit == 100_000)
    #expect(settings.disconnectionPolicy?.period == .milliseconds(100))
  }

  @Test func `what is outside its range is brought inside`() {
    var policy = DisconnectionPolicy()
    policy.idleTime = .seconds(-1)
    policy.sceneLimit = -3
    policy.memoryLimit = 0
    policy.limitShare = .nan
    policy.targetShare = 7
    policy.memoryCost = .max
    policy.interval = .zero
    let inside = policy.inRange
    #expect(inside.idleTime == .milliseconds(1))
    #expect(inside.sceneLimit == 0)
    #expect(inside.memoryLimit == 1)
    #expect(inside.limitShare == 0)
    #expect(inside.targetShare == 0)
    #expect(inside.memoryCost == 1 << 36)
    #expect(inside.interval == .milliseconds(1))
  }

  @Test func `a policy that only waits for idle scenes looks eight times in that time`() {
    var policy = DisconnectionPolicy()
    #expect(policy.period == .milliseconds(100))
    policy.idleTime = .seconds(80)
    #expect(policy.period == .seconds(10))
    policy.idleTime = .milliseconds(80)
    #expect(policy.period == .milliseconds(100))
    policy.idleTime = .seconds(80)
    policy.sceneLimit = 5
    #expect(policy.period == .milliseconds(100))
    policy.sceneLimit = nil
    policy.memoryLimit = 5
    #expect(policy.period == .milliseconds(100))
    policy.memoryLimit = nil
    policy.memory = ManualMemoryPressure().source
    #expect(policy.period == .milliseconds(100))
  }

  @Test func `scenes say how many bytes they take`() {
    let tally = SceneTally()
    tally.setCost(from: nil, to: 100)
    tally.setCost(from: nil, to: 50)
    tally.setCost(from: nil, to: nil)
    #expect(tally.cost == (2, 150))
    tally.setCost(from: 100, to: 10)
    tally.setCost(from: 50, to: nil)
    #expect(tally.cost == (1, 10))
    tally.setCost(from: 10, to: nil)
    #expect(tally.cost == (0, 0))
  }

  @Test func `a delay ends`() {
    let hints = ConnectionHints(delayedUntil: .seconds(5))
    #expect(hints.spares(at: .zero))
    #expect(hints.spares(at: .milliseconds(4_999)))
    #expect(!hints.spares(at: .seconds(5)))
  }
}
