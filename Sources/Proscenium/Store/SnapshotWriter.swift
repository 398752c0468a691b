// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import CoreMetrics
import Logging
import Synchronization

/// Brings changes to the store, in groups and in order, and tells who waits for it.
///
/// A store in memory takes them at once. For any other the changes wait until the writer's task
/// commits them: everything that has come during one commit is the next group, which is committed
/// at once if a caller waits for it, and lets more come for a while if none does. What a commit
/// could not write stays in front of what came later and is offered again with it, after a pause.
final class SnapshotWriter: Sendable {
  /// How many changes, and bytes of saved state, may wait before new work is refused.
  static let backlogLimit = (changes: 65_536, bytes: 64 << 20)
  /// About how many changes, and bytes of saved state, one commit holds.
  static let groupLimit = (changes: 4_096, bytes: 8 << 20)
  /// How long it waits before it offers what the store refused again.
  private static let pause = Duration.milliseconds(100)
  /// How often it offers the end of a run, which nothing follows that could bring it along.
  private static let lastOffers = 20

  /// What one pass of a shard, or one step of the application, brings.
  struct Batch: Sendable {
    var changes: [StoreChange] = []
    var isRestoring: Bool?
    /// How many milliseconds applications have run on the store.
    var runningTime: Int64?
    /// Who waits until everything up to here is durable.
    var awaiting: [AwaitedCommit] = []
    /// When the scene was marked that has waited longest for its capture.
    var oldestMark: Duration?

    var isEmpty: Bool {
      changes.isEmpty && isRestoring == nil && runningTime == nil && awaiting.isEmpty
    }

    /// Whether a caller waits for the commit, or was promised it as soon as possible.
    var isUrgent: Bool {
      oldestMark != nil || isRestoring != nil || awaiting.contains(where: \.isUrgent)
    }

    var bytes: Int { changes.reduce(0) { $0 + $1.byteCount } }
  }

  private struct Backlog: Sendable {
    var changes = 0
    var bytes = 0
    var waiting: [Sleeper] = []

    var isOver: Bool {
      changes > SnapshotWriter.backlogLimit.changes || bytes > SnapshotWriter.backlogLimit.bytes
    }

    /// Whether it fills a commit.
    var isGroup: Bool {
      changes >= SnapshotWriter.groupLimit.changes || bytes >= SnapshotWriter.groupLimit.bytes
    }
  }

  let store: any SessionStore
  private let immediate: InMemorySessionStore?
  /// Whether what is written is durable at once.
  let isImmediate: Bool
  private let inbox = Inbox<Batch>()
  private let backlog = Apart(guarding: Backlog())
  private let isOver = Atomic<Bool>(false)
  private let abandonment = Atomic<Bool>(false)
  /// The epochs in which sessions are written.
  let epochs = EpochTable()
  private let done = Apart(guarding: DurabilityReport())
  private let refused = Guarded(RefusedSessions())
  /// Whether the store refuses what is offered again, and since when it does, or does not any more.
  private let refusal = Guarded<(isUnderWay: Bool, time: Duration)?>(nil)
  private let elapsed: @Sendable () -> Duration
  private let clock: any Clock<Duration>
  private let interval: Duration
  private let events: EventHub
  private let log: Logger
  private let lag: Timer

  init(
    _ store: any SessionStore, clock: any Clock<Duration>, interval: Duration,
    metrics: any MetricsFactory, events: EventHub, log: Logger
  ) {
    self.store = store
    immediate = store as? InMemorySessionStore
    isImmediate = immediate != nil
    self.clock = clock
    elapsed = clock.stopwatch()
    self.interval = interval
    lag = Timer(label: "proscenium_durability_lag", factory: metrics)
    self.events = events
    self.log = log
  }

  /// Whether everything is forgotten from here on.
  var isAbandoned: Bool { abandonment.load(ordering: .acquiring) }

  /// Whether so much waits that new work has to be refused.
  var isBehind: Bool { isOver.load(ordering: .relaxed) }

  /// The epoch of the load with which this application began.
  var epoch: UInt32 { epochs.ofLoad }

  /// When the store last refused what was offered, which can be now, or `nil`.
  var lastRefusal: Duration? {
    let now = elapsed()
    return refusal.withLock { $0.map { $0.isUnderWay ? now : $0.time } }
  }

  private func noteRefusal(isUnderWay: Bool) {
    let now = elapsed()
    refusal.withLock { refusal in
      if isUnderWay || refusal?.isUnderWay == true { refusal = (isUnderWay, now) }
    }
  }

  /// The time, as marks are given.
  var now: Duration { elapsed() }

  /// What was committed so far.
  var report: DurabilityReport {
    var report = done.withLock { $0 }
    report.waiting = backlog.withLock { $0.changes }
    return report
  }

  /// Takes the store over, and hands its rows on.
  func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    let load = try await store.load(receive)
    epochs.begin(load.epoch)
    return load
  }

  /// Makes a change for the store.
  func write(_ kind: StoreChange.Kind, of session: SessionIdentifier) {
    write(Batch(changes: [StoreChange(session: session, epoch: epochs[session], kind: kind)]))
  }

  /// Brings to the store that the program is restoring its state, or that it is no longer.
  func setRestoring(_ isRestoring: Bool) {
    write(Batch(isRestoring: isRestoring))
  }

  /// Brings to the store how many milliseconds applications have run on it.
  func setRunningTime(_ milliseconds: Int64) {
    write(Batch(runningTime: milliseconds))
  }

  /// Brings changes to the store, or to the task that commits them.
  ///
  /// - Returns: Whether they are durable already.
  @discardableResult
  func write(_ batch: Batch) -> Bool {
    if batch.isEmpty { return true }
    if isAbandoned {
      batch.fail(Self.lost)
      return false
    }
    if isImmediate { return apply(batch) }
    let (isOver, isGroup) = backlog.withLock { backlog in
      backlog.changes += batch.changes.count
      backlog.bytes += batch.bytes
      return (backlog.isOver, backlog.isGroup)
    }
    if isOver { self.isOver.store(true, ordering: .relaxed) }
    inbox.post(CollectionOfOne(batch), isUrgent: isGroup || batch.isUrgent)
    return false
  }

  /// The store is asked where it is held: a copy of the reference would be counted, and all shards
  /// share the count.
  private func apply(_ batch: Batch) -> Bool {
    if batch.isRestoring == true { immediate?.applyRestoring(true) }
    let refusals = batch.changes.isEmpty ? [:] : immediate?.apply(batch.changes) ?? [:]
    if batch.isRestoring == false { immediate?.applyRestoring(false) }
    if let time = batch.runningTime { immediate?.applyRunningTime(time, epoch: epoch) }
    report(refusals)
    batch.succeed(without: refusals)
    return refusals.isEmpty
  }

  /// Waits until the next commit is over, if too much waits.
  func waitForRoom() async {
    await Sleeper.sleep { sleeper in
      backlog.withLock { backlog in
        guard backlog.isOver, !isAbandoned else { return false }
        backlog.waiting.append(sleeper)
        return true
      }
    }
  }

  // MARK: - The writer's task

  /// Commits what waits, until the writer is closed and nothing waits any more.
  ///
  /// It is not to be cancelled: a store may heed that and leave the end of a run unwritten.
  ///
  /// - Throws: The store's error, if it refuses the last changes again and again.
  func serve() async throws(StoreError) {
    var last: Duration?
    var refusals = StoreRefusals(log)
    while await inbox.waitForWork() {
      if let last { await gather(until: last + interval) }
      do throws(StoreError) {
        try await flush()
        noteRefusal(isUnderWay: false)
        if !isAbandoned { refusals.end() }
      } catch {
        refusals.add(error)
        await pause()
      }
      last = elapsed()
    }
    var offers = 1
    while true {
      do throws(StoreError) {
        try await flush()
        return isAbandoned ? () : refusals.end()
      } catch  where offers < Self.lastOffers {
        offers += 1
        refusals.add(error)
        await pause()
      } catch {
        for batch in inbox.take() { batch.fail(Self.lost) }
        throw error
      }
    }
  }

  /// Lets more changes come while no caller waits for those that are there.
  private func gather(until end: Duration) async {
    let left = end - elapsed()
    guard left > .zero else { return }
    await clock.wait(atMost: left) { await self.inbox.gather() }
  }

  /// Waits before what the store refused is offered again.
  private func pause() async {
    noteRefusal(isUnderWay: true)
    try? await clock.sleep(for: Self.pause)
  }

  /// Commits everything that waits now, group by group.
  private func flush() async throws(StoreError) {
    var waiting = inbox.take()[...]
    while !waiting.isEmpty {
      if isAbandoned {
        for batch in waiting { batch.fail(Self.lost) }
        return finish(Group(Array(waiting)))
      }
      let group = Group(first: waiting)
      waiting = waiting.dropFirst(group.batches.count)
      do throws(StoreError) {
        try await commit(group)
      } catch {
        inbox.putBack(group.withoutTickets(failing: error) + waiting)
        throw error
      }
    }
  }

  private func commit(_ group: Group) async throws(StoreError) {
    // Around the changes: a crash in between is one in the middle of the restoration.
    if group.isRestoring == true { try await store.setRestoring(true) }
    let refused = try await commit(group.changes)
    if group.isRestoring == false { try await store.setRestoring(false) }
    // Never before the uses up to then.
    if let time = group.runningTime { try await store.setRunningTime(time, epoch: epoch) }
    note(group)
    finish(group)
    let refusals = self.refused.withLock { $0.refusals(in: group) }
      .merging(refused) { $1 }
    for batch in group.batches {
      // What was durable in the moment of the kill is, and there is no one left to be told.
      if isAbandoned { batch.fail(Self.lost) } else { batch.succeed(without: refusals) }
    }
  }

  /// Commits changes, without those of sessions that the store refuses for good.
  ///
  /// What comes later of a damaged session is not offered: without what came before it would be
  /// wrong.
  ///
  /// - Returns: The sessions that were refused now, and why.
  /// - Throws: What may be over when the changes are offered again.
  private func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    let writable = writable(changes)
    if writable.isEmpty { return [:] }
    let refused = try await store.commit(writable)
    if refused.isEmpty { return [:] }
    self.refused.withLock { $0.note(refused) }
    report(refused)
    return refused
  }

  private func writable(_ changes: [StoreChange]) -> [StoreChange] {
    refused.withLock { refused in
      refused.forGood.isEmpty ? changes : changes.filter { refused.forGood[$0.session] == nil }
    }
  }

  private func note(_ group: Group) {
    let lag = group.oldestMark.map { elapsed() - $0 }
    if let lag { self.lag.recordNanoseconds(lag.nanoseconds) }
    done.withLock { done in
      done.commits += 1
      done.changes += group.changes.count
      done.bytes += group.bytes
      if let lag { done.lossBound = max(done.lossBound, lag) }
    }
  }

  /// Takes a group off what waits.
  private func finish(_ group: Group) {
    let sleepers = backlog.withLock { backlog in
      backlog.changes -= group.changes.count
      backlog.bytes -= group.bytes
      guard !backlog.isOver || isAbandoned else { return [Sleeper]() }
      isOver.store(false, ordering: .relaxed)
      defer { backlog.waiting = [] }
      return backlog.waiting
    }
    for sleeper in sleepers { sleeper.wake() }
  }

  /// Reports refusals in the order of the sessions; of those that are fenced only some.
  private func report(_ refusals: [SessionIdentifier: StoreError]) {
    if refusals.isEmpty { return }
    var fenced = 0
    for (_, error) in refusals.sorted(by: { $0.key < $1.key }) {
      if error.code == .fenced { fenced += 1 }
      if error.code != .fenced || fenced <= Self.reportedFences { report(error) }
    }
  }

  /// How many fenced sessions of a commit are reported.
  private static let reportedFences = 8

  private func report(_ error: StoreError) {
    log.error("the store refused changes for good", metadata: ["error": "\(error)"])
    events.report(
      error.session, .failed(Self.refusal(error)))
  }

  /// Writes sessions again that another process had; everything from before was offered.
  func takeBack(where isBack: (SessionIdentifier) -> Bool) {
    refused.withLock { $0.takeBack(where: isBack) }
  }

  /// Forgets what waits, and everything that comes later.
  func abandon() {
    abandonment.store(true, ordering: .releasing)
    for sleeper in backlog.withLock({ backlog in
      defer { backlog.waiting = [] }
      return backlog.waiting
    }) {
      sleeper.wake()
    }
  }

  /// Lets the writer's task end, after one more commit of what waits.
  func close() {
    inbox.close()
  }

  /// What those are told who wait for a change that the store refuses.
  static func refusal(_ error: StoreError) -> SceneError {
    SceneError(.notDurable, session: error.session, "\(error)")
  }

  private static let lost = SceneError(
    .notDurable, "the application ended before the state was committed")
}

extension StoreChange {
  /// How many bytes of saved state it brings.
  var byteCount: Int {
    if case .save(let bytes) = kind { bytes.count } else { 0 }
  }
}
