// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import CoreMetrics
import Logging
import Synchronization

/// Brings changes to the store, in groups and in order, and tells who waits for it.
///
/// A store in memory takes them at once. For any other the changes wait until the writer's task
/// commits them: everything that has come during one commit is the next group. What a commit could
/// not write stays in front of what came later and is offered again with it, after a pause.
final class SnapshotWriter: Sendable {
  /// How many changes, and bytes of saved state, may wait before new work is refused.
  static let backlogLimit = (changes: 65_536, bytes: 64 << 20)
  /// About how many changes, and bytes of saved state, one commit holds.
  static let groupLimit = (changes: 4_096, bytes: 8 << 20)

  /// What one pass of a shard, or one step of the application, brings.
  struct Batch: Sendable {
    var changes: [StoreChange] = []
    var isRestoring: Bool?
    /// Who waits until everything up to here is durable.
    var awaiting: [AwaitedCommit] = []
    /// When the scene was marked that has waited longest for its capture.
    var oldestMark: Duration?

    var isEmpty: Bool { changes.isEmpty && isRestoring == nil && awaiting.isEmpty }

    var bytes: Int { changes.reduce(0) { $0 + $1.byteCount } }
  }

  private struct Backlog: Sendable {
    var changes = 0
    var bytes = 0
    var waiting: [Sleeper] = []

    var isOver: Bool {
      changes > SnapshotWriter.backlogLimit.changes || bytes > SnapshotWriter.backlogLimit.bytes
    }
  }

  let store: any SessionStore
  private let immediate: (any ImmediateSessionStore)?
  private let inbox = Inbox<Batch>()
  private let backlog = Guarded(Backlog())
  private let isOver = Atomic<Bool>(false)
  private let abandonment = Atomic<Bool>(false)
  private let epochNumber = Atomic<UInt32>(0)
  private let done = Guarded(DurabilityReport())
  private let elapsed: @Sendable () -> Duration
  private let clock: any Clock<Duration>
  private let events: EventHub
  private let log: Logger
  private let lag: Timer

  init(
    _ store: any SessionStore, clock: any Clock<Duration>, metrics: any MetricsFactory,
    events: EventHub, log: Logger
  ) {
    self.store = store
    immediate = store as? any ImmediateSessionStore
    self.clock = clock
    elapsed = clock.stopwatch()
    lag = Timer(label: "proscenium_durability_lag", factory: metrics)
    self.events = events
    self.log = log
  }

  /// Whether everything is forgotten from here on.
  var isAbandoned: Bool { abandonment.load(ordering: .acquiring) }

  /// Whether so much waits that new work has to be refused.
  var isBehind: Bool { isOver.load(ordering: .relaxed) }

  /// Whether what is written is durable at once.
  var isImmediate: Bool { immediate != nil }

  /// The epoch in which this application writes.
  var epoch: UInt32 { epochNumber.load(ordering: .relaxed) }

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
    epochNumber.store(load.epoch, ordering: .relaxed)
    return load
  }

  /// Makes changes for the store.
  func write(_ kinds: [(session: SessionIdentifier, kind: StoreChange.Kind)]) {
    let epoch = epoch
    write(
      Batch(changes: kinds.map { StoreChange(session: $0.session, epoch: epoch, kind: $0.kind) }))
  }

  /// Brings to the store that the program is restoring its state, or that it is no longer.
  func setRestoring(_ isRestoring: Bool) {
    write(Batch(isRestoring: isRestoring))
  }

  func write(_ batch: Batch) {
    if batch.isEmpty { return }
    if isAbandoned { return batch.fail(Self.lost) }
    if let immediate { return apply(batch, to: immediate) }
    let isOver = backlog.withLock { backlog in
      backlog.changes += batch.changes.count
      backlog.bytes += batch.bytes
      return backlog.isOver
    }
    if isOver { self.isOver.store(true, ordering: .relaxed) }
    inbox.post(CollectionOfOne(batch))
  }

  private func apply(_ batch: Batch, to store: any ImmediateSessionStore) {
    if let isRestoring = batch.isRestoring { store.applyRestoring(isRestoring) }
    do throws(StoreError) {
      if !batch.changes.isEmpty { try store.apply(batch.changes) }
      batch.succeed()
    } catch {
      report(error)
      batch.fail(SceneError(.notDurable, session: error.session, "\(error)"))
    }
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
  /// - Throws: The store's error, if it refuses the last changes.
  func serve() async throws(StoreError) {
    while await inbox.waitForWork() {
      do throws(StoreError) {
        try await flush()
      } catch {
        log.error("the store refused changes", metadata: ["error": "\(error)"])
        try? await clock.sleep(for: .milliseconds(100))
      }
    }
    do throws(StoreError) {
      try await flush()
    } catch {
      for batch in inbox.take() { batch.fail(Self.lost) }
      throw error
    }
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
    if let mark = group.isRestoring { try await store.setRestoring(mark) }
    var changes = group.changes
    var fenced: [StoreError] = []
    while !changes.isEmpty {
      do throws(StoreError) {
        try await store.commit(changes)
        break
      } catch {
        // Another application owns the session, or all of them: what this one has is void.
        guard error.code == .fenced else { throw error }
        fenced.append(error)
        let isOne = error.session != nil && fenced.count < 8
        changes = isOne ? changes.filter { $0.session != error.session } : []
      }
    }
    for error in fenced { report(error) }
    note(group)
    finish(group)
    for batch in group.batches {
      if isAbandoned {
        // What was durable in the moment of the kill is, and nobody is left who could be told.
        batch.fail(Self.lost)
      } else if let error = fenced.first {
        batch.fail(SceneError(.notDurable, session: error.session, "\(error)"))
      } else {
        batch.succeed()
      }
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

  private func report(_ error: StoreError) {
    log.error("the store refused changes for good", metadata: ["error": "\(error)"])
    events.report(
      error.session, .failed(SceneError(.notDurable, session: error.session, "\(error)")))
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

  private static let lost = SceneError(
    .notDurable, "the application ended before the state was committed")
}

extension SnapshotWriter {
  /// Some batches that are committed together.
  fileprivate struct Group {
    let batches: [Batch]
    let changes: [StoreChange]
    let bytes: Int

    init(_ batches: [Batch]) {
      self.batches = batches
      changes = batches.count == 1 ? batches[0].changes : batches.flatMap(\.changes)
      bytes = changes.reduce(0) { $0 + $1.byteCount }
    }

    /// As many batches as one commit holds, at least one.
    init(first waiting: ArraySlice<Batch>) {
      var count = 0
      var changes = 0
      var bytes = 0
      for batch in waiting {
        changes += batch.changes.count
        bytes += batch.bytes
        if count > 0, changes > groupLimit.changes || bytes > groupLimit.bytes { break }
        count += 1
      }
      self.init(Array(waiting.prefix(count)))
    }

    var isRestoring: Bool? { batches.last { $0.isRestoring != nil }?.isRestoring }

    var oldestMark: Duration? { batches.compactMap(\.oldestMark).min() }

    /// Tells those who want to know at once; effects stay, since the state may still be committed.
    func withoutTickets(failing error: StoreError) -> [Batch] {
      batches.map { batch in
        var rest = batch
        rest.awaiting = []
        for awaited in batch.awaiting {
          if case .ticket(let ticket) = awaited {
            ticket.answer(.failure(SceneError(.notDurable, session: error.session, "\(error)")))
          } else {
            rest.awaiting.append(awaited)
          }
        }
        return rest
      }
    }
  }
}

/// Who waits until a state is durable.
enum AwaitedCommit: Sendable {
  /// A caller, who is told either way.
  case ticket(Ticket<Void>)
  /// An effect, which runs only if the state is durable.
  case effect(@Sendable () -> Void)
}

extension SnapshotWriter.Batch {
  func succeed() {
    for awaited in awaiting {
      switch awaited {
      case .ticket(let ticket): ticket.answer(.success(()))
      case .effect(let effect): effect()
      }
    }
  }

  func fail(_ error: SceneError) {
    for case .ticket(let ticket) in awaiting { ticket.answer(.failure(error)) }
  }
}

extension StoreChange {
  /// How many bytes of saved state it brings.
  fileprivate var byteCount: Int {
    if case .save(let bytes) = kind { bytes.count } else { 0 }
  }
}

extension Duration {
  /// The duration in whole nanoseconds, at most those of an Int64.
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : product + attoseconds / 1_000_000_000
  }
}
