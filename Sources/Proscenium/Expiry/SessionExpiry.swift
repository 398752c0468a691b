// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// The sessions that end if no one uses them, and the time by which they do.
///
/// That is the *running time* of the store: what passes while no application runs does not count.
final class SessionExpiry: Sendable {
  private struct State: Sendable {
    var ledger = ExpiryLedger()
    /// The running time of the store when this run began.
    var base = Duration.zero
    var isOpen = false
    /// How many sessions are being looked at.
    var underReview = 0
    /// When the running time is noted next, and what is noted once no session is looked at: what
    /// was used until then is known by that time.
    var nextNote = Duration.zero
    var note: Duration?
    /// When the task that serves wakes by itself; nil while it does not sleep on the clock.
    var wakesAt: Duration?
    var doorbell = Doorbell()

    mutating func nextDue() -> Duration? {
      guard isOpen else { return nil }
      return ledger.nextDue().map { min($0, nextNote) } ?? nextNote
    }

    /// Takes the running time that is to be noted now.
    mutating func takeNote() -> Int64? {
      underReview > 0 ? nil : note.take().map { milliseconds(base + $0) }
    }
  }

  /// A session in use is looked at again after this part of its time at the latest.
  ///
  /// Its last use is not written again before that, so that what is kept of it is never older than
  /// two of these.
  private static let share = 16
  /// The shortest and the longest time between two notes of the running time.
  private static let notes = Duration.seconds(1)...Duration.seconds(3_600)

  private let state = Guarded(State())
  private let limit: Duration?
  private let limitsOfRoles: [SceneSessionRole: Duration?]
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  /// How long clients may take to come back after a launch, and after the store's return.
  private let gracePeriod: Duration
  private let notePeriod: Duration
  /// After how long the next use of a session is noted again, whether or not it was looked at.
  ///
  /// A use is written if the last one that is kept is a share of the time old; if not, the next
  /// one is noted a share later at the latest: what is kept is no older than two.
  private let usePeriod: Duration

  /// Makes it, or returns nil if sessions of no role end by themselves.
  ///
  /// - Parameters:
  ///   - rules: How sessions treat their clients.
  ///   - rulesOfRoles: How those of some roles do.
  ///   - clock: The clock by which it sleeps.
  ///   - elapsed: The time that has passed in this run.
  init?(
    _ rules: ClientRules, _ rulesOfRoles: [SceneSessionRole: ClientRules],
    clock: any Clock<Duration>, elapsed: @escaping @Sendable () -> Duration
  ) {
    let ending = ([rules] + rulesOfRoles.values).filter { $0.expiry != nil }
    guard let shortest = ending.compactMap(\.expiry).min() else { return nil }
    limit = rules.expiry
    limitsOfRoles = rulesOfRoles.mapValues(\.expiry)
    self.clock = clock
    self.elapsed = elapsed
    gracePeriod = ending.map(\.gracePeriod).max() ?? .zero
    usePeriod = shortest / Self.share
    notePeriod = min(max(usePeriod, Self.notes.lowerBound), Self.notes.upperBound)
  }

  /// After how long without use a session of a role ends, or `nil`.
  func limit(_ role: SceneSessionRole) -> Duration? { limitsOfRoles[role] ?? limit }

  /// The running time of the store, in milliseconds that have begun.
  var runningTime: Int64 {
    let now = elapsed()
    return state.withLock { milliseconds($0.base + now) }
  }

  // MARK: - The launch

  /// Takes over what a store has kept.
  ///
  /// - Parameters:
  ///   - runningTime: The store's running time, in milliseconds.
  ///   - sessions: The sessions that end without use, with what their roles allow and when they
  ///     were last used, if that is known.
  func load(
    runningTime: Int64, _ sessions: [(SessionHandle, limit: Duration, lastUsed: Int64?)]
  ) {
    let now = elapsed()
    state.withLock { state in
      // It may be before the last use, of which it was not noted any more.
      state.base = .milliseconds(runningTime) - now
      for (session, limit, lastUsed) in sessions {
        if let lastUsed {
          state.ledger.set(session, .end, at: Self.end(lastUsed, limit) - state.base)
        } else {
          state.ledger.set(session, .use, at: now + Self.interval(of: session, limit))
        }
      }
    }
  }

  /// Takes over sessions while it runs: none of them ends before its clients had the time to come
  /// back.
  func adopt(_ sessions: [(SessionHandle, limit: Duration, lastUsed: Int64?)]) {
    let now = elapsed()
    let base = state.withLock(\.base)
    for (session, limit, lastUsed) in sessions {
      if let lastUsed {
        set(session, .end, at: max(Self.end(lastUsed, limit) - base, now + gracePeriod))
      } else {
        set(session, .use, at: now + Self.interval(of: session, limit))
      }
    }
  }

  /// Lets sessions end from now on, after their clients had the time to come back.
  func open() {
    let now = elapsed()
    let sleeper = state.withLock { state in
      state.isOpen = true
      state.nextNote = now + notePeriod
      state.ledger.holdEnds(until: now + gracePeriod)
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  // MARK: - Looks

  /// When a session ends in the running time, by what is kept of its last use.
  private static func end(_ lastUsed: Int64, _ limit: Duration) -> Duration {
    .milliseconds(lastUsed) + limit + limit * 2 / share
  }

  /// After how long a session in use is looked at: half of the longest time or more, so that those
  /// that were connected together are not looked at together.
  private static func interval(of session: SessionHandle, _ limit: Duration) -> Duration {
    let spread = Int((UInt64(session.rawValue) &* 0x9E37_79B9_7F4A_7C15) >> 56)
    return limit / (2 * share) + limit / (2 * share) * spread / 256
  }

  /// Begins another period of a shard's uses if the current one is over.
  func beginPeriodIfDue(of uses: inout SessionUses) {
    uses.beginPeriod(usePeriod, at: elapsed())
  }

  /// Notes that a session begins to be in use, unless that is known.
  func beginUse(of session: SessionHandle, limit: Duration) {
    set(session, .use, at: elapsed() + Self.interval(of: session, limit), unless: .use)
  }

  /// Notes that a session was used until now.
  func noteUse(of session: SessionHandle, limit: Duration) {
    set(session, .use, at: elapsed() + Self.interval(of: session, limit))
  }

  /// Notes that a session was last used at a running time, in milliseconds.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - limit: What its role allows.
  ///   - lastUsed: When it was used last.
  ///   - isConnected: Whether it can be used without having a scene connected.
  func noteRest(
    of session: SessionHandle, limit: Duration, since lastUsed: Int64, isConnected: Bool
  ) {
    let end = Self.end(lastUsed, limit) - state.withLock(\.base)
    let look = elapsed() + Self.interval(of: session, limit)
    let isSooner = isConnected && look < end
    set(session, isSooner ? .use : .end, at: isSooner ? look : end)
  }

  private func set(
    _ session: SessionHandle, _ look: ExpiryLedger.Look, at due: Duration,
    unless known: ExpiryLedger.Look? = nil
  ) {
    let sleeper = state.withLock { state -> Sleeper? in
      if known != nil, state.ledger.look(session)?.look == known { return nil }
      state.ledger.set(session, look, at: due)
      // One that sleeps until something earlier needs not know.
      if let wakesAt = state.wakesAt, wakesAt <= due { return nil }
      return state.doorbell.ring()
    }
    sleeper?.wake()
  }

  /// The running time to be kept of a use now, in milliseconds; nil if what is kept is new enough.
  func timeOfUse(after lastUsed: Int64?, limit: Duration) -> Int64? {
    let time = runningTime
    guard let lastUsed else { return time }
    return .milliseconds(time - lastUsed) < limit / Self.share ? nil : time
  }

  /// Forgets a session that has ended.
  func forget(_ session: SessionHandle) {
    state.withLock { $0.ledger.remove(session) }
  }

  /// Takes out what is due.
  ///
  /// - Parameters:
  ///   - refusal: When the store last refused a commit: no session ends until its clients had the
  ///     time to come back.
  ///   - post: Hands a session on. It is called with the lock held, so that no one finds a session
  ///     gone that was not handed on yet.
  /// - Returns: The running time, if it is to be noted now.
  func takeDue(
    refusal: Duration?, _ post: (SessionHandle, ExpiryLedger.Look) -> Void
  ) -> Int64? {
    let now = elapsed()
    return state.withLock { state in
      guard state.isOpen else { return nil }
      if let refusal { state.ledger.holdEnds(until: refusal + gracePeriod) }
      while let (session, look) = state.ledger.takeDue(at: now) {
        state.underReview += 1
        post(session, look)
      }
      if state.nextNote <= now {
        state.nextNote = now + notePeriod
        state.note = now
      }
      return state.takeNote()
    }
  }

  /// Takes note that sessions were looked at, and that what was seen is on its way to the store.
  ///
  /// - Returns: The running time, if it is to be noted now.
  func didReview(_ count: Int) -> Int64? {
    state.withLock { state in
      state.underReview -= count
      return state.takeNote()
    }
  }

  /// Waits until something may be due; returns false once the task is cancelled.
  func waitForDue() async -> Bool {
    let due = state.withLock { state in
      state.wakesAt = state.nextDue()
      return state.wakesAt
    }
    let now = elapsed()
    if let due, due <= now { return !Task.isCancelled }
    await clock.wait(atMost: due.map { $0 - now }) { await self.rest(unless: due) }
    return !Task.isCancelled
  }

  /// Sleeps until something earlier is to be looked at, or the task is cancelled.
  private func rest(unless due: Duration?) async {
    await withTaskCancellationHandler {
      await Sleeper.sleep { sleeper in
        state.withLock { state in
          guard state.nextDue() == due, !Task.isCancelled else { return false }
          state.doorbell.rest(sleeper)
          return true
        }
      }
    } onCancel: {
      state.withLock { $0.doorbell.ring() }?.wake()
    }
  }
}

/// A duration in milliseconds that have begun.
private func milliseconds(_ time: Duration) -> Int64 {
  let (seconds, attoseconds) = time.components
  return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
}
