// SPDX-License-Identifier: Apache-2.0

public import Proscenium
import ProsceniumPrimitives

/// A store on a disk that a simulation controls: slow, full, and without power when it is told.
///
/// It keeps what a disk would keep: what was committed before the power was lost, and of what was
/// being written in that moment all or nothing, as the seed decides. What it does is decided by its
/// seed and by when it is asked, so that in a run of a ``SeededExecutor`` it is the same each time.
/// It can be used from any thread.
public final class SimulatedSessionStore: SessionStore {
  /// What goes wrong, and how long everything takes.
  public struct Faults: Sendable {
    /// The shortest and the longest time that a load takes.
    public var loadTime = Duration.zero...Duration.zero

    /// The shortest and the longest time that a commit takes.
    public var commitTime = Duration.zero...Duration.zero

    /// How many of a thousand commits are refused with `full`, whole: 0 to 1,000.
    public var fullPerThousand = 0

    /// How many of a thousand commits fail with `failed`, whole: 0 to 1,000.
    public var failedPerThousand = 0

    /// The shortest and the longest time that a batch of reads takes.
    public var readTime = Duration.zero...Duration.zero

    /// How many of a thousand reads fail with `failed`: 0 to 1,000.
    public var unreadPerThousand = 0

    /// How many of a thousand batches of reads are answered in part: 0 to 1,000.
    public var partialPerThousand = 0

    /// Creates faults that do nothing.
    public init() {}
  }

  /// What was done to a store, for reports of what a simulation has reached.
  public struct Counts: Sendable, Hashable {
    /// Commits that were applied and returned.
    public internal(set) var commits = 0
    /// Commits that were refused or failed with the power on.
    public internal(set) var refusals = 0
    /// Those of them that found the disk full.
    public internal(set) var fullRefusals = 0
    /// Commits that were under way when the power was lost, and are on the disk.
    public internal(set) var survivors = 0
    /// Commits that were under way when the power was lost, and are not.
    public internal(set) var casualties = 0

    /// Creates counts of nothing.
    public init() {}

    /// Adds the counts of another store.
    public mutating func add(_ other: Counts) {
      commits += other.commits
      refusals += other.refusals
      fullRefusals += other.fullRefusals
      survivors += other.survivors
      casualties += other.casualties
    }
  }

  private struct State: Sendable {
    var random: SplitMix64
    var counts = Counts()
    var hasPower = true
    var nextCommit: UInt64 = 0
    var hasKey = true
    /// The sessions whose saved states cannot be read.
    var damaged: Set<SessionIdentifier> = []
    /// What is being written, in the order in which it began.
    var underWay: [(number: UInt64, changes: [StoreChange])] = []

    /// A rewritten state can be read again.
    mutating func repair(_ changes: [StoreChange]) {
      guard !damaged.isEmpty else { return }
      for change in changes {
        switch change.kind {
        case .save, .insert, .remove: damaged.remove(change.session)
        case .update, .activate: break
        }
      }
    }
  }

  private let disk: InMemorySessionStore
  private let clock: any Clock<Duration>
  private let faults: Faults
  private let state: Guarded<State>

  /// Creates a store with an empty disk.
  ///
  /// - Parameters:
  ///   - seed: What decides everything that is left open.
  ///   - clock: By which it takes its time.
  ///   - faults: What goes wrong.
  public convenience init(seed: UInt64, clock: any Clock<Duration>, faults: Faults = Faults()) {
    self.init(InMemorySessionStore(), seed, clock, faults, Counts())
  }

  private init(
    _ disk: InMemorySessionStore, _ seed: UInt64, _ clock: any Clock<Duration>, _ faults: Faults,
    _ counts: Counts
  ) {
    self.disk = disk
    self.clock = clock
    self.faults = faults
    state = Guarded(State(random: SplitMix64(seed: seed), counts: counts))
  }

  /// What was done so far, by the stores before on the same disk too.
  public var counts: Counts { state.withLock { $0.counts } }

  /// The open sessions that are on the disk, by identifier.
  public var sessions: [StoredSession] { disk.sessions }

  /// The sessions that were discarded while no application used the disk, and are still on it.
  public var discardedSessions: [StoredSession] { disk.discardedSessions }

  /// Takes the power away: this store does nothing any more, its callers get an error, and
  /// of what was being written all or nothing is on the disk.
  ///
  /// - Returns: A store on the same disk, for the next process. Without power already, it is one
  ///   more on that disk.
  public func losePower() -> SimulatedSessionStore {
    let (seed, survivors, counts, damaged) = state.withLock { state in
      state.hasPower = false
      var survivors: [[StoreChange]] = []
      for commit in state.underWay {
        let survives = state.random.happens(perThousand: 500)
        if survives {
          survivors.append(commit.changes)
          state.repair(commit.changes)
        }
        state.counts.survivors += survives ? 1 : 0
        state.counts.casualties += survives ? 0 : 1
      }
      state.underWay = []
      return (state.random.next(), survivors, state.counts, state.damaged)
    }
    // What an epoch before has left is refused by the disk, as it would be with the power on.
    for changes in survivors { _ = disk.apply(changes) }
    let next = SimulatedSessionStore(disk, seed, clock, faults, counts)
    next.state.withLock { $0.damaged = damaged }
    return next
  }

  /// Says whether the saved states can be opened: without a key `keyUnavailable` is thrown.
  public func setKey(isAvailable: Bool) {
    state.withLock { $0.hasKey = isAvailable }
  }

  /// Damages the saved state of a session on the disk: reads of it fail with `damaged`, until
  /// another one is written.
  ///
  /// - Parameter session: The session.
  public func damage(_ session: SessionIdentifier) {
    state.withLock { _ = $0.damaged.insert(session) }
  }

  /// Whether the saved state of a session is damaged.
  public func isDamaged(_ session: SessionIdentifier) -> Bool {
    state.withLock { $0.damaged.contains(session) }
  }

  /// Discards a session while no application uses the disk; the next launch reports it (R-DST-4).
  ///
  /// - Parameter session: The session; one that is not kept is ignored.
  public func discardWhileNotRunning(_ session: SessionIdentifier) {
    disk.discardWhileNotRunning(session)
  }

  /// Lets another process begin to use the disk: what this store commits from now on is refused as
  /// `fenced`.
  public func takeOver() {
    disk.takeOver()
  }

  // MARK: - What every store does

  /// Takes the disk over and gives the rows of all sessions.
  ///
  /// - Parameter receive: Is given the rows.
  /// - Returns: The epoch, and whether the program was restoring its state.
  /// - Throws: `failed` without power, or what `receive` throws.
  public func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    await take(faults.loadTime)
    try requirePower()
    return try await disk.load(receive)
  }

  /// Applies changes after a while, all or none of each session.
  ///
  /// - Parameter changes: In order.
  /// - Returns: `fenced` for sessions, as every store.
  /// - Throws: `full` or `failed` as often as the faults say, and `failed`
  ///   without power.
  public func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    let number = try begin(changes)
    await take(faults.commitTime)
    return try end(number, changes)
  }

  /// Notes that the program is restoring its state, or that it is no longer.
  ///
  /// - Parameter isRestoring: What the next load is to say.
  /// - Throws: `failed` without power.
  public func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    await take(faults.commitTime)
    try requirePower()
    disk.applyRestoring(isRestoring)
  }

  /// Notes how long applications have run on the disk.
  ///
  /// - Parameters:
  ///   - milliseconds: What the next load is to say.
  ///   - epoch: That of the application; nothing is noted in an earlier one than the disk's.
  /// - Throws: `failed` without power.
  public func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
    await take(faults.commitTime)
    try requirePower()
    disk.applyRunningTime(milliseconds, epoch: epoch)
  }

  /// Copies an encoded saved state: nothing is sealed.
  ///
  /// - Throws: `keyUnavailable` without a key.
  public func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    guard self.state.withLock({ $0.hasKey }) else {
      throw StoreError(.keyUnavailable, session: session, "expected a key, and there is none now")
    }
    return try disk.seal(state, of: session, epoch: epoch)
  }

  /// Reads the encoded saved states of sessions after a while, in any order, and now and then only
  /// some of them.
  ///
  /// - Parameter sessions: The sessions.
  /// - Returns: States; or errors: `failed` without power or as often as the faults say,
  ///   `keyUnavailable` without a key, `damaged` for a state that was damaged.
  public func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    await take(faults.readTime)
    let asked = state.withLock { state in
      guard sessions.count > 1, state.random.happens(perThousand: faults.partialPerThousand)
      else { return sessions }
      return sessions.filter { _ in state.random.happens(perThousand: 500) } + sessions.suffix(1)
    }
    return answers(of: asked) { (session) throws(StoreError) in try savedState(of: session) }
  }

  private func savedState(of session: SessionIdentifier) throws(StoreError) -> [UInt8]? {
    try requirePower()
    if state.withLock({ $0.random.happens(perThousand: faults.unreadPerThousand) }) {
      throw StoreError(
        .failed, session: session, "expected the simulated disk to read, and it failed")
    }
    let (hasKey, isDamaged) = state.withLock { ($0.hasKey, $0.damaged.contains(session)) }
    guard hasKey else {
      throw StoreError(.keyUnavailable, session: session, "expected a key, and there is none now")
    }
    guard !isDamaged else {
      throw StoreError(
        .damaged, session: session, "expected a saved state with its checksum, and it is damaged")
    }
    return disk.savedState(of: session)
  }

  // MARK: - Steps

  private func begin(_ changes: [StoreChange]) throws(StoreError) -> UInt64 {
    try requirePower()
    return state.withLock { state in
      state.nextCommit += 1
      state.underWay.append((state.nextCommit, changes))
      return state.nextCommit
    }
  }

  /// Ends a commit that was not ended by a loss of power.
  private func end(
    _ number: UInt64, _ changes: [StoreChange]
  ) throws(StoreError) -> [SessionIdentifier: StoreError] {
    // In one step, so that nothing reaches the disk after the power is gone.
    try state.withLock { (state) throws(StoreError) in
      guard let place = state.underWay.firstIndex(where: { $0.number == number }) else {
        throw Self.noPower
      }
      state.underWay.remove(at: place)
      let isFull = state.random.happens(perThousand: faults.fullPerThousand)
      let isFailed = state.random.happens(perThousand: faults.failedPerThousand)
      if isFull || isFailed {
        state.counts.refusals += 1
        if isFull { state.counts.fullRefusals += 1 }
        throw isFull
          ? StoreError(.full, "expected room on the simulated disk, and it is full")
          : StoreError(.failed, "expected the simulated disk to write, and it failed")
      }
      let refusals = disk.apply(changes)
      state.repair(changes.filter { refusals[$0.session] == nil })
      state.counts.commits += 1
      return refusals
    }
  }

  private func requirePower() throws(StoreError) {
    if !state.withLock({ $0.hasPower }) { throw Self.noPower }
  }

  private static let noPower = StoreError(
    .failed, "expected power for the simulated disk, and it is lost")

  /// Waits for a time that is drawn; a task that was cancelled waits no longer.
  private func take(_ time: ClosedRange<Duration>) async {
    let span = time.upperBound - time.lowerBound
    guard time.upperBound > .zero else { return }
    let share = state.withLock { $0.random.number(below: 1_001) }
    try? await clock.sleep(for: time.lowerBound + span * share / 1_000)
  }
}
