// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Proscenium

@Suite struct ReconnectionQueueTests {
  /// Waits for a turn, and writes down when it comes.
  private static func wait(_ queue: inout ReconnectionQueue, _ recency: UInt64) -> Bool {
    queue.wait(Ticket(), recency: recency)
  }

  @Test func `as many begin as there is room for`() {
    var queue = ReconnectionQueue(limit: 2, waitingLimit: 4)
    for _ in 0..<2 {
      let hasRoom = queue.hasRoom { 0 }
      #expect(hasRoom)
      queue.begin()
    }
    var hasRoom = queue.hasRoom { 0 }
    #expect(!hasRoom)
    hasRoom = queue.hasRoom { 1 }
    #expect(hasRoom)
  }

  @Test func `nobody overtakes those who wait`() {
    var queue = ReconnectionQueue(limit: 1, waitingLimit: 4)
    queue.begin()
    let waits = Self.wait(&queue, 1)
    #expect(waits)
    let hasRoom = queue.hasRoom { 1 }
    #expect(!hasRoom)
    #expect(queue.giveTurns { 1 }.count == 1)
    // The turn takes the room until it is used or given back.
    let hasRoomBesideTurn = queue.hasRoom { 1 }
    #expect(!hasRoomBesideTurn)
    let turn = ReconnectionTurn()
    queue.end(turn)
    queue.end(turn)
    #expect(queue.turns == 0)
    let hasRoomAgain = queue.hasRoom { 1 }
    #expect(hasRoomAgain)
  }

  @Test func `the most recently active session goes first, and of equals who came first`() {
    var queue = ReconnectionQueue(limit: 1, waitingLimit: 8)
    queue.begin()
    let recencies: [UInt64] = [3, 9, 9, 0, 7]
    let tickets = recencies.map { recency in
      let ticket = Ticket<ReconnectionTurn>()
      let waits = queue.wait(ticket, recency: recency)
      #expect(waits)
      return ticket
    }
    var order: [Int] = []
    for finished in 1...5 {
      for ticket in queue.giveTurns({ finished }) {
        order.append(tickets.firstIndex { $0 === ticket } ?? -1)
        queue.end(ReconnectionTurn())
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
    _ = queue.hasRoom { 100 }
    #expect(queue.retryAfter(at: .milliseconds(100)) == .milliseconds(100))
    // Once the pace is ten times lower, it takes ten times longer.
    _ = queue.hasRoom { 110 }
    #expect(queue.retryAfter(at: .milliseconds(200)) == .milliseconds(900))
    // Nothing at all for a while.
    #expect(queue.retryAfter(at: .seconds(100)) <= .seconds(10))
  }
}
