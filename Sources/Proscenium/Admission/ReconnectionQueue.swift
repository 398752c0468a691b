// SPDX-License-Identifier: Apache-2.0

import HeapModule
import ProsceniumPrimitives

/// How many sessions are being connected again, and who waits for a turn: the most recently active
/// sessions first.
///
/// After a crash all users come back at once. So many of their sessions are brought back together
/// as keep the processors busy; the rest wait where their order can still be chosen.
struct ReconnectionQueue: Sendable {
  /// Somebody who waits.
  struct Waiting: Sendable, Comparable {
    /// When the session was last active, by the activation counter.
    let recency: UInt64
    let arrival: UInt64
    let ticket: Ticket<ReconnectionTurn>

    /// Tells whether another one goes first.
    static func < (left: Self, right: Self) -> Bool {
      (left.recency, right.arrival) < (right.recency, left.arrival)
    }

    static func == (left: Self, right: Self) -> Bool { left.arrival == right.arrival }
  }

  /// How many reconnections may be under way.
  let limit: Int
  /// How many may wait.
  let waitingLimit: Int
  /// Reconnections that were admitted.
  private(set) var admitted = 0
  /// How many of them were finished when it was last looked at.
  private var finished = 0
  /// Turns that were given and not used yet.
  private(set) var turns = 0
  private var waiting = Heap<Waiting>()
  private var arrivals: UInt64 = 0
  private var pace = Pace()

  init(limit: Int, waitingLimit: Int) {
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  /// Reconnections that are admitted and not finished, as far as is known, and those that may
  /// begin.
  var underWay: Int { admitted - finished + turns }

  /// How many wait.
  var waitingCount: Int { waiting.count }

  /// Whether somebody without a turn may begin.
  ///
  /// - Parameter count: Counts what is finished; asked only if that matters.
  /// - Returns: Whether there is room, and nobody waits for it.
  mutating func hasRoom(_ count: () -> Int) -> Bool {
    guard waiting.isEmpty else { return false }
    if underWay >= limit { finished = count() }
    return underWay < limit
  }

  /// Notes a reconnection that was admitted.
  mutating func begin() {
    admitted += 1
  }

  /// Ends a turn, since it is used, or is of no use.
  mutating func end(_ turn: ReconnectionTurn) {
    if turn.end() { turns -= 1 }
  }

  /// Lets somebody wait.
  ///
  /// - Returns: Whether there is room for one more who waits.
  mutating func wait(_ ticket: Ticket<ReconnectionTurn>, recency: UInt64) -> Bool {
    guard waiting.count < waitingLimit else { return false }
    arrivals += 1
    waiting.insert(Waiting(recency: recency, arrival: arrivals, ticket: ticket))
    return true
  }

  /// Gives as many turns as there is room for.
  ///
  /// - Parameter count: Counts what is finished.
  /// - Returns: Who may go on.
  mutating func giveTurns(_ count: () -> Int) -> [Ticket<ReconnectionTurn>] {
    guard !waiting.isEmpty else { return [] }
    finished = count()
    var next: [Ticket<ReconnectionTurn>] = []
    while underWay < limit, let first = waiting.popMax() {
      turns += 1
      next.append(first.ticket)
    }
    return next
  }

  /// Lets nobody wait any more.
  mutating func takeAll() -> [Ticket<ReconnectionTurn>] {
    defer { waiting = [] }
    return waiting.unordered.map(\.ticket)
  }

  /// After how long somebody who was refused should ask again: when as many are finished as are
  /// before him, at the pace of the last while.
  mutating func retryAfter(at now: Duration) -> Duration {
    pace.look(finished: finished, at: now)
    return pace.time(for: underWay + waiting.count)
  }

  /// How fast reconnections are finished.
  private struct Pace: Sendable {
    private var finished = 0
    private var time: Duration?
    /// How many a second; 0 is not known.
    private var rate = 0.0

    private static let window = Duration.milliseconds(10)

    mutating func look(finished count: Int, at now: Duration) {
      guard let last = time else {
        (finished, time) = (count, now)
        return
      }
      let span = now - last
      guard span >= Self.window else { return }
      rate = Double(count - finished) / (span / .seconds(1))
      (finished, time) = (count, now)
    }

    func time(for count: Int) -> Duration {
      guard rate > 0 else { return .milliseconds(100) }
      return min(max(.seconds(1) * (Double(count) / rate), .milliseconds(1)), .seconds(10))
    }
  }
}

/// The right of one request to connect a session again; it is used or given back once.
final class ReconnectionTurn: Sendable {
  private let isOver = Guarded(false)

  /// Ends the turn; tells whether it was not over.
  func end() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}

/// What a request does if it would connect a session again, and no more may be under way.
enum Reconnecting: Sendable {
  /// What the system does by itself is not held up.
  case free
  /// It is refused, and may wait for a turn.
  case asks
  /// It has waited.
  case has(ReconnectionTurn)
}
