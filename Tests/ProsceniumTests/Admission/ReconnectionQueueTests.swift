// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

@Suite struct ReconnectionQueueTests {
  /// Waits for a turn, and writes down when it comes.
  private static func wait(_ queue: inout ReconnectionQueue, _ recency: UInt64) -> Bool {
    queue.wait(TurnTicket(), recency: recency)
  }

  @Test func `as many begin as there is room for`() {
    var queue = ReconnectionQueue(limit: 2, waitingLimit: 4)
    for _ in 0..<2 {
      let hasRoom = queue.takeRoom(at: .zero) { 0 }
      #expect(hasRoom)
      queue.begin()
    }
    var hasRoom = queue.takeRoom(at: .zero) { 0 }
    #expect(!hasRoom)
    hasRoom = queue.takeRoom(at: .zero) { 1 }
    #expect(hasRoom)
  }

  @Test func `no caller overtakes those who wait`() {
    var queue = ReconnectionQueue(limit: 1, waitingLimit: 4)
    queue.begin()
    let waits = Self.wait(&queue, 1)
    #expect(waits)
    let hasRoom = queue.takeRoom(at: .zero) { 1 }
    #expect(!hasRoom)
    #expect(queue.giveTurns(at: .zero) { 1 }.count == 1)
    // The turn takes the room until it is used or given back.
    let hasRoomBesideTurn = queue.takeRoom(at: .zero) { 1 }
    #expect(!hasRoomBesideTurn)
    let turn = ReconnectionTurn()
    queue.giveBack(turn)
    queue.use(turn)
    #expect(queue.turns == 0)
    let hasRoomAgain = queue.takeRoom(at: .zero) { 1 }
    #expect(hasRoomAgain)
  }

  @Test func `the most recently active session goes first, and of equals who came first`() {
    var queue = ReconnectionQueue(limit: 1, waitingLimit: 8)
    queue.begin()
    let recencies: [UInt64] = [3, 9, 9, 0, 7]
    let tickets = recencies.map { recency in
      let ticket = TurnTicket()
      let waits = queue.wait(ticket, recency: recency)
      #expect(waits)
      return ticket
    }
    var order: [Int] = []
    for finished in 1...5 {
      for ticket in queue.giveTurns(at: .zero, { finished }) {
        order.append(tickets.firstIndex { $0 === ticket } ?? -1)
        queue.use(ReconnectionTurn())
        queue.begin()
      }
    }
    #expect(order == [1, 2, 4, 0, 3])
  }

  @Test func `no more wait than may`() {
    var queue = ReconnectionQueue(limit: 1, waitingLimit: 2)
    let waits = (0..<3).map { _ in Self.wait(&queue, 1) }
    #expect(waits == [true, true, false])
    #expect(queue.takeAll().count == 2)
    #expect(queue.waitingCount == 0)
  }

  @Test func `the hint follows the pace, within its bounds`() {
    var queue = ReconnectionQueue(limit: 100, waitingLimit: 0)
    for _ in 0..<200 { queue.begin() }
    #expect(queue.retryAfter(at: .zero) == .milliseconds(100))
    // 100 in a tenth of a second, and 100 are left.
    _ = queue.takeRoom(at: .zero) { 100 }
    #expect(queue.retryAfter(at: .milliseconds(100)) == .milliseconds(100))
    // Once the pace is ten times lower, it takes ten times longer.
    _ = queue.takeRoom(at: .zero) { 110 }
    #expect(queue.retryAfter(at: .milliseconds(200)) == .milliseconds(900))
    // Nothing at all for a while.
    #expect(queue.retryAfter(at: .seconds(100)) <= .seconds(10))
  }

  @Test func `so many begin in a second as may`() {
    var queue = ReconnectionQueue(limit: 1_000, rate: 100, waitingLimit: 1_000)
    var begun = 0
    for millisecond in 0..<1_000 {
      let hasRoom = queue.takeRoom(at: .milliseconds(millisecond)) { begun }
      guard hasRoom else { continue }
      queue.begin()
      begun += 1
    }
    #expect((100...102).contains(begun))
  }

  @Test func `who waits is told when time brings the next turn`() {
    var queue = ReconnectionQueue(limit: 10, rate: 10, waitingLimit: 10)
    #expect(queue.pause(at: .zero) == nil)
    var hasRoom = queue.takeRoom(at: .zero) { 0 }
    #expect(hasRoom)
    queue.begin()
    hasRoom = queue.takeRoom(at: .milliseconds(50)) { 0 }
    #expect(!hasRoom)
    for _ in 0..<2 {
      let waits = Self.wait(&queue, 1)
      #expect(waits)
    }
    #expect(queue.retryAfter(at: .milliseconds(50)) == .milliseconds(300))
    #expect(queue.giveTurns(at: .milliseconds(50)) { 0 }.isEmpty)
    #expect(queue.pause(at: .milliseconds(50)) == .milliseconds(40))
    #expect(queue.giveTurns(at: .milliseconds(90)) { 0 }.count == 1)
    #expect(queue.giveTurns(at: .milliseconds(90)) { 0 }.isEmpty)
    // What was of no use can be had by the next.
    queue.giveBack(ReconnectionTurn())
    #expect(queue.giveTurns(at: .milliseconds(90)) { 0 }.count == 1)
    #expect(queue.pause(at: .milliseconds(90)) == nil)
  }

  @Test func `time brings no turn while all ways are taken`() {
    var queue = ReconnectionQueue(limit: 1, rate: 10, waitingLimit: 10)
    queue.begin()
    let waits = Self.wait(&queue, 1)
    #expect(waits)
    #expect(queue.pause(at: .seconds(5)) == nil)
    #expect(queue.giveTurns(at: .seconds(5)) { 0 }.isEmpty)
    #expect(queue.giveTurns(at: .seconds(5)) { 1 }.count == 1)
  }
}
