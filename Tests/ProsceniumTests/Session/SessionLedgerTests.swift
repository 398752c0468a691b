// SPDX-License-Identifier: Apache-2.0

@testable import Proscenium
import Testing

/// Every decision about sessions, taken by a value that performs nothing.
@Suite struct SessionLedgerTests {
  private static func ledger(
    capacity: Int? = nil, quota: Int? = nil, isSingle: Bool = false
  ) -> SessionLedger {
    var rules = SessionLedger.Rules()
    rules.foregroundCapacity = capacity
    rules.sessionQuota = quota
    rules.supportsMultipleScenes = !isSingle
    rules.shardBits = 2
    return SessionLedger(rules: rules)
  }

  // MARK: - Sessions come and go

  @Test func `a session is archived until something is decided about it`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 3, group: nil, spread: 0, lastActivated: 5)
    #expect(ledger[one].state == .archived)
    #expect(ledger[one].role == 3)
    #expect(ledger[one].lastActivated == 5)
    #expect(ledger.activationCounter == 5)
    #expect(ledger.openCount == 1)
  }

  @Test func `the hash of the identifier chooses the shard`() {
    var ledger = Self.ledger()
    let shards = (0..<4).map { ledger.open(role: 0, group: nil, spread: $0 << 32).shard(2) }
    #expect(shards == [0, 1, 2, 3])
  }

  @Test func `with a capacity the group chooses it, so that its sessions share one`() {
    var ledger = Self.ledger(capacity: 1)
    for group in ["ann", "bob"].map(SceneGroup.init(rawValue:)) {
      let shards = Set(
        (0..<4).map { ledger.open(role: 0, group: group, spread: $0 << 32).shard(2) })
      #expect(shards.count == 1)
    }
  }

  @Test func `a slot is given away again when it is free, and remembers its decisions`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 0, group: nil, spread: 0)
    let decisions = ledger[one].decisions
    ledger.discard(one)
    let two = ledger.open(role: 0, group: nil, spread: 0)
    #expect(two != one)
    #expect(ledger.openCount == 1)
    ledger.free(one)
    let three = ledger.open(role: 0, group: nil, spread: 0)
    #expect(three == one)
    #expect(ledger[three].decisions.isLater(than: decisions))
    #expect(ledger[three].state == .archived)
  }

  @Test func `the clock of a slot goes on also where it has gone round`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 0, group: nil, spread: 0)
    ledger[one].decisions = DecisionClock(count: 1 << 31)
    ledger.free(one)
    let two = ledger.open(role: 0, group: nil, spread: 0)
    #expect(ledger[two].decisions.count == 1 << 31 + 2)
  }

  @Test(
    "a new session is refused with UIKit's code",
    arguments: [
      (ledger(isSingle: true), 0, nil), (ledger(isSingle: true), 1, .multipleScenesNotSupported),
      (ledger(quota: 2), 1, nil), (ledger(quota: 2), 2, .quotaReached),
      (ledger(quota: 0), 0, .quotaReached), (ledger(), 100, nil),
    ] as [(SessionLedger, Int, SceneError.Code?)])
  func refusal(ledger: SessionLedger, count: Int, code: SceneError.Code?) {
    var ledger = ledger
    for _ in 0..<count { _ = ledger.open(role: 0, group: nil, spread: 0) }
    #expect(ledger.refusalOfNewSession() == code)
  }

  // MARK: - Activation

  @Test func `each activation counts, another one of an active session does not`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 0, group: nil, spread: 0)
    let first = ledger.activate(one, requester: nil, becomesActive: true)
    #expect(first.counter == 1)
    #expect(!first.wasForeground)
    #expect(ledger[one].state == .active)
    let second = ledger.activate(one, requester: nil, becomesActive: true)
    #expect(second.counter == nil)
    #expect(second.wasForeground)
    #expect(second.decisions != first.decisions)
    #expect(ledger.activationCounter == 1)
  }

  @Test func `a session that takes no input stays inactive and is never activated`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 0, group: nil, spread: 0)
    let activation = ledger.activate(one, requester: nil, becomesActive: false)
    #expect(activation.counter == nil)
    #expect(ledger[one].state == .inactive)
    #expect(ledger[one].lastActivated == 0)
  }

  @Test func `without a capacity no session gives way`() {
    var ledger = Self.ledger()
    for _ in 0..<10 {
      let session = ledger.open(role: 0, group: nil, spread: 0)
      let activation = ledger.activate(session, requester: nil, becomesActive: true)
      #expect(activation.partner == nil)
    }
  }

  @Test func `the least recently active session gives way (R-ACTV-2)`() {
    var ledger = Self.ledger(capacity: 2)
    let sessions = ledger.openActive(3, group: nil)
    #expect(sessions.map { ledger[$0].state } == [.background, .active, .active])
    let back = ledger.activate(sessions[0], requester: nil, becomesActive: true)
    #expect(back.partner?.handle == sessions[1])
    #expect(back.partner?.state == .active)
  }

  @Test func `the requester is spared (R-ACTV-2)`() {
    var ledger = Self.ledger(capacity: 2)
    let sessions = ledger.openActive(2, group: nil)
    let new = ledger.open(role: 0, group: nil, spread: 0)
    let activation = ledger.activate(new, requester: sessions[0], becomesActive: true)
    #expect(activation.partner?.handle == sessions[1])
  }

  @Test func `the requester gives way if there is no other`() {
    var ledger = Self.ledger(capacity: 1)
    let one = ledger.openActive(1, group: nil)[0]
    let new = ledger.open(role: 0, group: nil, spread: 0)
    let activation = ledger.activate(new, requester: one, becomesActive: true)
    #expect(activation.partner?.handle == one)
  }

  @Test func `an interrupted session keeps its place and its turn`() {
    var ledger = Self.ledger(capacity: 2)
    let sessions = ledger.openActive(2, group: nil)
    _ = ledger.setInterrupted(sessions[0], true)
    let new = ledger.open(role: 0, group: nil, spread: 0)
    let activation = ledger.activate(new, requester: nil, becomesActive: true)
    #expect(activation.partner?.handle == sessions[0])
    #expect(activation.partner?.state == .inactive)
  }

  @Test func `groups do not give way to one another (R-ACTV-2)`() {
    var ledger = Self.ledger(capacity: 1)
    let ann = ledger.openActive(1, group: "ann")
    let bob = ledger.openActive(1, group: "bob")
    #expect((ann + bob).map { ledger[$0].state } == [.active, .active])
  }

  @Test(arguments: ["background", "discard"])
  func `the next session waits for the one that has left`(way: String) throws {
    var ledger = Self.ledger(capacity: 1)
    let one = ledger.openActive(1, group: nil)[0]
    if way == "background" {
      _ = ledger.enterBackground(one)
    } else {
      ledger.discard(one)
    }
    let two = ledger.open(role: 0, group: nil, spread: 0)
    let activation = ledger.activate(two, requester: nil, becomesActive: true)
    let partner = try #require(activation.partner)
    #expect(partner.kind == .leaver)
    #expect(partner.handle == one)
  }

  // MARK: - Interruption, background, disconnect

  @Test func `an interruption and its end move an active session only`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 0, group: nil, spread: 0)
    let early = [ledger.setInterrupted(one, true), ledger.setInterrupted(one, false)]
    _ = ledger.activate(one, requester: nil, becomesActive: true)
    let superfluous = ledger.setInterrupted(one, false)
    #expect((early + [superfluous]).map(\.isUnchanged) == [true, true, true])
    guard case .interrupted = ledger.setInterrupted(one, true) else {
      Issue.record("an active session can be interrupted")
      return
    }
    #expect(ledger[one].state == .inactive)
    guard case .resumed(2) = ledger.setInterrupted(one, false) else {
      Issue.record("the end of an interruption is an activation")
      return
    }
    #expect(ledger[one].state == .active)
  }

  @Test func `only a session in the foreground enters the background`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 0, group: nil, spread: 0)
    let early = ledger.enterBackground(one)
    _ = ledger.activate(one, requester: nil, becomesActive: true)
    let later = [ledger.enterBackground(one), ledger.enterBackground(one)]
    #expect([early] + later == [false, true, false])
    #expect(ledger[one].state == .background)
  }

  @Test func `only an archived session is connected`() {
    var ledger = Self.ledger()
    let one = ledger.open(role: 0, group: nil, spread: 0)
    let first = [ledger.connect(one), ledger.connect(one)]
    #expect(first == [true, false])
    ledger.disconnect(one)
    #expect(ledger[one].state == .archived)
    let again = ledger.connect(one)
    #expect(again)
  }

  @Test func `under pressure the least recently active go first, ties by identifier (R-DIS-4)`() {
    var ledger = Self.ledger()
    let sessions = [3, 1, 1, 2, 9].map {
      ledger.open(role: 0, group: nil, spread: 0, lastActivated: $0)
    }
    for session in sessions.dropLast() { _ = ledger.connect(session) }
    // The second and the third were active at the same time; the third has the smaller identifier.
    let identifiers = Dictionary(
      uniqueKeysWithValues: zip(sessions, [5, 4, 3, 2, 1].map(SessionIdentifier.number)))
    let order = [2, 1, 3, 0].map { sessions[$0] }
    for count in 0...5 {
      let victims = ledger.pressureVictims(count: count, sparing: { _ in false }) {
        identifiers[$0] ?? .number(0)
      }
      #expect(victims == Array(order.prefix(count)))
    }
    let spared = ledger.pressureVictims(count: 2, sparing: { $0 == order[0] }) {
      identifiers[$0] ?? .number(0)
    }
    #expect(spared == [order[1], order[2]])
  }

  // MARK: - Failure

  @Test func `a victim keeps its place if the newcomer fails (R-CFG-4)`() {
    var ledger = Self.ledger(capacity: 1)
    let one = ledger.openActive(1, group: nil)[0]
    let two = ledger.open(role: 0, group: nil, spread: 0)
    let activation = ledger.activate(two, requester: nil, becomesActive: true)
    let leaves = ledger.fail(
      two, decisions: activation.decisions, partner: activation.partner,
      isVictimThere: true)
    #expect(!leaves)
    #expect(ledger[one].state == .active)
    #expect(ledger[two].state == .dead)
    #expect(ledger.openCount == 1)
    let three = ledger.open(role: 0, group: nil, spread: 0)
    let next = ledger.activate(three, requester: nil, becomesActive: true)
    #expect(next.partner?.handle == one)
  }

  @Test func `it leaves if something was decided about it in between`() {
    var ledger = Self.ledger(capacity: 1)
    let one = ledger.openActive(1, group: nil)[0]
    let two = ledger.open(role: 0, group: nil, spread: 0)
    let failing = ledger.activate(two, requester: nil, becomesActive: true)
    _ = ledger.activate(one, requester: nil, becomesActive: true)
    let leaves = ledger.fail(
      two, decisions: failing.decisions, partner: failing.partner, isVictimThere: true)
    #expect(leaves)
    // The later decision holds: it has taken the place back.
    #expect(ledger[one].state == .active)
  }
}

extension SessionLedger {
  /// Opens sessions and activates them in turn.
  fileprivate mutating func openActive(_ count: Int, group: SceneGroup?) -> [SessionHandle] {
    (0..<count).map { _ in
      let session = open(role: 0, group: group, spread: 0)
      _ = activate(session, requester: nil, becomesActive: true)
      return session
    }
  }
}

extension SessionLedger.Interruption {
  fileprivate var isUnchanged: Bool {
    if case .unchanged = self { true } else { false }
  }
}
