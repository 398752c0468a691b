// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// How many sessions are being connected again, and who waits for a turn: the most recently active
/// sessions first.
///
/// After a crash all users come back at once. So many of their sessions are brought back together
/// as keep the processors busy, and so many a second as the host allows; the rest wait where their
/// order can still be chosen.
struct ReconnectionQueue: Sendable {
  /// A caller that waits.
  struct Waiting: Sendable, Comparable {
    /// When the session was last active, by the activation counter.
    let recency: UInt64
    let arrival: UInt64
    let ticket: TurnTicket

    /// Tells whether the left one goes first.
    static func < (left: Self, right: Self) -> Bool {
      (right.recency, left.arrival) < (left.recency, right.arrival)
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
  /// Tells what gives turns that a caller waits.
  let bell: ReconnectionBell
  private var waiting = BinaryHeap<Waiting>()
  private var arrivals: UInt64 = 0
  private var pace = Pace()
  private var allowance: ReconnectionAllowance?

  /// Creates a queue in which no caller waits.
  ///
  /// - Parameters:
  ///   - limit: How many reconnections may be under way.
  ///   - rate: How many may begin in a second, or nil for no limit.
  ///   - waitingLimit: How many may wait.
  ///   - bell: Is told how many wait.
  init(
    limit: Int, rate: Int? = nil, waitingLimit: Int, bell: ReconnectionBell = ReconnectionBell()
  ) {
    self.limit = limit
    self.waitingLimit = waitingLimit
    self.bell = bell
    allowance = rate.map { ReconnectionAllowance(perSecond: $0) }
  }

  /// Reconnections that are admitted and not finished, as far as is known, and those that may
  /// begin.
  var underWay: Int { admitted - finished + turns }

  /// How many wait.
  var waitingCount: Int { waiting.count }

  /// Lets a caller without a turn begin, if there is room and none waits for it.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - count: Counts what is finished; asked only if that matters.
  /// - Returns: Whether he may.
  mutating func takeRoom(at now: Duration, _ count: () -> Int) -> Bool {
    guard waiting.isEmpty else { return false }
    if underWay >= limit { finished = count() }
    return underWay < limit && allowance?.take(at: now) ?? true
  }

  /// Notes a reconnection that was admitted.
  mutating func begin() {
    admitted += 1
  }

  /// Ends a turn, since what it was for begins.
  mutating func use(_ turn: ReconnectionTurn) {
    if turn.end() { turns -= 1 }
  }

  /// Ends a turn that is of no use, unless it was used.
  mutating func giveBack(_ turn: ReconnectionTurn) {
    guard turn.end() else { return }
    turns -= 1
    allowance?.giveBack()
  }

  /// Lets a caller wait.
  ///
  /// - Returns: Whether there is room for one more who waits.
  mutating func wait(_ ticket: TurnTicket, recency: UInt64) -> Bool {
    guard waiting.count < waitingLimit else { return false }
    arrivals += 1
    waiting.insert(Waiting(recency: recency, arrival: arrivals, ticket: ticket))
    bell.note(waiting.count)
    return true
  }

  /// Gives as many turns as there is room for.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - count: Counts what is finished.
  /// - Returns: Who may go on.
  mutating func giveTurns(at now: Duration, _ count: () -> Int) -> [TurnTicket] {
    guard !waiting.isEmpty else { return [] }
    finished = count()
    var next: [TurnTicket] = []
    while underWay < limit, !waiting.isEmpty, allowance?.take(at: now) ?? true {
      turns += 1
      next.append(waiting.removeMin().ticket)
    }
    bell.note(waiting.count)
    return next
  }

  /// How long it takes until a caller gets a turn because time passes; nil if none waits, or
  /// something else has to be finished first.
  func pause(at now: Duration) -> Duration? {
    guard !waiting.isEmpty, underWay < limit else { return nil }
    return allowance?.pause(at: now)
  }

  /// Ends all waiting.
  mutating func takeAll() -> [TurnTicket] {
    defer {
      waiting = BinaryHeap()
      bell.note(0)
    }
    return waiting.elements.sorted().map(\.ticket)
  }

  /// After how long a caller who was refused should ask again: when as many are finished as are
  /// before him, at the pace of the last while, and no sooner than all of them may begin.
  mutating func retryAfter(at now: Duration) -> Duration {
    pace.look(finished: finished, at: now)
    let allowed = allowance?.time(for: waiting.count + 1) ?? .zero
    return min(max(pace.time(for: underWay + waiting.count), allowed), Self.longestHint)
  }

  private static let longestHint = Duration.seconds(10)

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
      return max(.seconds(1) * (Double(count) / rate), .milliseconds(1))
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
  /// It is refused.
  case asks
  /// It gets a turn to wait for.
  case waits
  /// It has waited.
  case has(ReconnectionTurn)
}
