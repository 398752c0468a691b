// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Testing

@testable import Proscenium

/// How many scenes have to go, and which shards give them.
@Suite struct PressureLedgerTests {
  private static func ledger(_ change: (inout DisconnectionPolicy) -> Void) -> PressureLedger {
    var policy = DisconnectionPolicy()
    change(&policy)
    return PressureLedger(policy.inRange)
  }

  private static func measure(
    _ connected: Int, promised: Int = 0, used: Int? = nil, limit: Int? = nil,
    stall: Double? = nil, at seconds: Int = 0
  ) -> PressureLedger.Measure {
    PressureLedger.Measure(
      connected: connected, promised: promised, used: used, limit: limit, stall: stall,
      time: .seconds(seconds))
  }

  // MARK: - Too many scenes

  @Test(arguments: [
    (limit: 10, connected: 10, promised: 0, excess: 0), (10, 11, 0, 1), (10, 13, 2, 1),
    (10, 13, 3, 0), (10, 13, 5, 0), (0, 4, 0, 4), (63, 64, 0, 1), (64, 65, 0, 2),
    (6_400, 6_401, 0, 101), (6_400, 6_400, 0, 0),
  ])
  func `what is too much goes, and a sixty-fourth of the limit with it`(
    _ row: (limit: Int, connected: Int, promised: Int, excess: Int)
  ) {
    let ledger = Self.ledger { $0.sceneLimit = row.limit }
    #expect(ledger.excess(connected: row.connected, promised: row.promised) == row.excess)
  }

  @Test func `without a limit nothing is too much`() {
    var ledger = Self.ledger { _ in }
    #expect(ledger.excess(connected: .max / 2, promised: 0) == 0)
    #expect(ledger.decide(Self.measure(1_000, used: .max, limit: nil)) == 0)
    #expect(ledger.decide(Self.measure(1_000, used: nil, limit: 1)) == 0)
  }

  // MARK: - Bytes

  @Test func `over four fifths of the bytes scenes go, down to three quarters`() {
    var ledger = Self.ledger { _ in }
    #expect(ledger.decide(Self.measure(80, used: 800, limit: 1_000)) == 0)
    #expect(ledger.decide(Self.measure(81, used: 810, limit: 1_000)) == 6)
    // Those six are on their way: no other has to go for them.
    #expect(ledger.decide(Self.measure(81, promised: 6, used: 810, limit: 1_000)) == 0)
    #expect(ledger.decide(Self.measure(76, used: 760, limit: 1_000)) == 1)
    #expect(ledger.isRelieving)
    #expect(ledger.decide(Self.measure(75, used: 750, limit: 1_000)) == 0)
    #expect(!ledger.isRelieving)
    // Between the two nothing happens unless it comes from above.
    #expect(ledger.decide(Self.measure(79, used: 790, limit: 1_000)) == 0)
  }

  @Test func `what was used without a scene is no scene's`() {
    var ledger = Self.ledger { _ in }
    #expect(ledger.decide(Self.measure(0, used: 500, limit: 1_000)) == 0)
    // 400 bytes in 40 scenes: 15 of them hold the 150 above the target.
    #expect(ledger.decide(Self.measure(40, used: 900, limit: 1_000)) == 15)
  }

  @Test func `never more have to go than there are`() {
    var ledger = Self.ledger { $0.targetShare = 0 }
    #expect(ledger.decide(Self.measure(3, used: 2_000, limit: 1_000)) == 3)
    #expect(ledger.decide(Self.measure(0, used: 2_000, limit: 1_000)) == 0)
    #expect(ledger.decide(Self.measure(3, used: .max, limit: 1)) == 3)
  }

  // MARK: - Stalls

  @Test func `tasks that wait for memory cost a twentieth of the scenes in ten seconds`() {
    var ledger = Self.ledger { _ in }
    #expect(ledger.decide(Self.measure(200, stall: 9.9)) == 0)
    #expect(ledger.decide(Self.measure(200, stall: 10, at: 1)) == 10)
    #expect(ledger.decide(Self.measure(190, stall: 99, at: 10)) == 0)
    #expect(ledger.decide(Self.measure(190, stall: 99, at: 11)) == 9)
    #expect(ledger.decide(Self.measure(2, stall: 99, at: 30)) == 1)
    #expect(ledger.decide(Self.measure(0, stall: 99, at: 50)) == 0)
  }

  // MARK: - Shares

  @Test(arguments: [
    (count: 0, scenes: [3, 4], shares: [0, 0]), (3, [], []), (3, [0, 0], [0, 0]),
    (1, [5, 5, 5], [1, 0, 0]), (2, [5, 5, 5], [1, 1, 0]), (5, [10, 30, 10], [1, 3, 1]),
    (4, [1, 2, 1], [1, 2, 1]), (9, [1, 2, 1], [1, 2, 1]), (2, [1, 8, 0], [0, 2, 0]),
    (-1, [1], [0]),
  ])
  func `shards give in proportion to what they have`(
    _ row: (count: Int, scenes: [Int], shares: [Int])
  ) {
    #expect(PressureLedger.shares(of: row.count, among: row.scenes) == row.shares)
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func `shares come to the number, none is more than there is, and none is off by one`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let scenes = (0..<random.number(below: 70)).map { _ in
      random.happens(perThousand: 200) ? 0 : random.number(below: 5_000)
    }
    let total = scenes.reduce(0, +)
    let count = random.number(below: total + 10)
    let shares = PressureLedger.shares(of: count, among: scenes)
    #expect(shares.reduce(0, +) == min(count, total), "seed \(seed)")
    for (share, scene) in zip(shares, scenes) {
      #expect(share <= scene, "seed \(seed)")
      let exact = Double(min(count, total)) * Double(scene) / Double(max(total, 1))
      #expect(abs(Double(share) - exact) < 1, "seed \(seed)")
    }
  }
}
