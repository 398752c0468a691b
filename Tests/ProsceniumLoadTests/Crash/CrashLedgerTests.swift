// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Testing

@testable import ProsceniumLoad

@Suite struct CrashLedgerTests {
  private static let one = SessionIdentifier(high: 0, low: 1)
  private static let other = SessionIdentifier(high: 0, low: 2)

  /// The ledger after some lives, each the reports of one process.
  private func ledger(_ lives: [CrashReport]...) -> CrashLedger {
    var ledger = CrashLedger()
    for life in lives {
      ledger.begin()
      for report in life { ledger.note(report) }
    }
    return ledger
  }

  @Test(
    arguments: [
      // The acknowledged state, a newer one that was on its way, and one that was refused.
      [.durable(one, sequence: 3)], [.durable(one, sequence: 2)],
      [.durable(one, sequence: 1), .refused(one, sequence: 2, code: "notDurable")],
      // What an effect waited for, and what was not known yet.
      [.durable(one, sequence: 2), .effect(one, sequence: 3)], [],
      // A discard that was not acknowledged.
      [.durable(one, sequence: 3), .leaving(one)],
    ] as [[CrashReport]])
  func `what is kept as it should be is no violation`(life: [CrashReport]) {
    let found = life.isEmpty ? 1 : 3
    let ledger = ledger([.ready] + life, [.found(Self.one, sequence: found), .ready])
    #expect(ledger.violations == [])
    #expect(ledger.sessionCount == 1)
  }

  @Test(
    arguments: [
      // Older than what was acknowledged, or than what an effect had waited for; vanished.
      ([.durable(one, sequence: 3)], [.found(one, sequence: 2)]),
      ([.durable(one, sequence: 1), .effect(one, sequence: 4)], [.found(one, sequence: 3)]),
      ([.durable(one, sequence: 3)], []),
      ([.durable(one, sequence: 3)], [.found(other, sequence: 1)]),
      // From nowhere, twice, back from a discard.
      ([.durable(one, sequence: 3)], [.found(one, sequence: 5)]), ([], [.found(one, sequence: 2)]),
      ([.durable(one, sequence: 1)], [.found(one, sequence: 1), .found(one, sequence: 1)]),
      ([.durable(one, sequence: 1), .leaving(one), .gone(one)], [.found(one, sequence: 1)]),
    ] as [([CrashReport], [CrashReport])])
  func `what is lost, or comes from nowhere, is a violation`(
    life: [CrashReport], next: [CrashReport]
  ) {
    let ledger = ledger([.ready] + life, next + [.ready])
    #expect(ledger.violationCount == 1)
    #expect(ledger.violations.count == 1)
  }

  @Test func `a discard is done for good`() {
    let begun: [CrashReport] = [.ready, .durable(Self.one, sequence: 1), .leaving(Self.one)]
    // It was not acknowledged, and it was done all the same.
    #expect(ledger(begun, [.ready]).violationCount == 0)
    #expect(
      ledger(begun, [.ready], [.found(Self.one, sequence: 1), .ready]).violationCount == 1)
    // It was lost with its process; the session goes on.
    let back: [CrashReport] = [
      .found(Self.one, sequence: 1), .ready, .durable(Self.one, sequence: 2),
    ]
    #expect(ledger(begun, back, [.ready]).violationCount == 1)
  }

  @Test func `effects of a session run in order, once`() {
    let effects: [CrashReport] = [.effect(Self.one, sequence: 4), .effect(Self.one, sequence: 8)]
    #expect(ledger([.ready] + effects).violationCount == 0)
    #expect(ledger([.ready] + effects.reversed()).violationCount == 1)
    #expect(ledger([.ready, effects[0], effects[0]]).violationCount == 1)
    // One that is told after the discard of its session is late, not wrong.
    let ledger = ledger([.ready, .leaving(Self.one), .gone(Self.one), effects[0]], [.ready])
    #expect(ledger.violationCount == 0)
  }

  @Test func `a process that is killed before it is ready has told nothing`() {
    let ledger = ledger(
      [.ready, .durable(Self.one, sequence: 1), .durable(Self.other, sequence: 1)],
      [.found(Self.one, sequence: 1)],
      [.found(Self.other, sequence: 1), .found(Self.one, sequence: 1), .ready])
    #expect(ledger.violations == [])
    #expect(ledger.checks == 2)
  }

  /// The ledger after two activations one after the other, with what the store has of them.
  private func ledger(
    counters: (one: UInt64, other: UInt64), _ last: CrashReport...
  ) -> CrashLedger {
    let sessions = [Self.one, Self.other]
    return ledger(
      [.ready] + sessions.map { CrashReport.durable($0, sequence: 1) }
        + sessions.flatMap { [CrashReport.activating($0), .activated($0)] } + last,
      [
        .found(Self.one, sequence: 1, counter: counters.one),
        .found(Self.other, sequence: 1, counter: counters.other), .ready,
      ])
  }

  @Test func `the order of activations is that in which they were made, but for the last ones`() {
    let (one, other) = (CrashReport.ordered(Self.one), CrashReport.ordered(Self.other))
    #expect(ledger(counters: (1, 2), one, other).violations == [])
    #expect(ledger(counters: (1, 2), one, other).orders == 2)
    #expect(ledger(counters: (2, 1), one, other).violationCount == 1)
    #expect(ledger(counters: (2, 0), one, other).violationCount == 1)
    // The second in which they are written is not over.
    #expect(ledger(counters: (2, 1), one).violationCount == 0)
    // One of them was about to be activated again.
    #expect(ledger(counters: (3, 2), one, other, .activating(Self.one)).violationCount == 0)
  }

  @Test func `what is wrong in words is a violation, and not all are told`() {
    let wrong = (1...50).map { CrashReport.wrong("\($0)") }
    let ledger = ledger([.ready] + wrong)
    #expect(ledger.violationCount == 50)
    #expect(ledger.violations == (1...CrashLedger.violationLimit).map { "\($0)" })
  }
}
