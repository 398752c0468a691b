// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Brings changes to the store, in groups and in order.
///
/// A store in memory takes them at once. For any other the changes wait until the writer's task
/// commits them; what a commit could not write stays in front of what came later and is offered
/// again with it, after a pause.
final class SessionWriter: Sendable {
  /// How many changes may wait before new work is refused.
  static let backlogLimit = 65_536

  /// What the store is to be brought.
  private enum Item: Sendable {
    case change(SessionChange)
    case restoring(Bool)
  }

  private let store: any SessionStore
  private let immediate: (any ImmediateSessionStore)?
  private let inbox = Inbox<Item>()
  private let backlog = Atomic<Int>(0)
  private let abandonment = Atomic<Bool>(false)
  private let clock: any Clock<Duration>
  private let log: Logger

  init(_ store: any SessionStore, clock: any Clock<Duration>, log: Logger) {
    self.store = store
    immediate = store as? any ImmediateSessionStore
    self.clock = clock
    self.log = log
  }

  /// Whether everything is forgotten from here on.
  var isAbandoned: Bool { abandonment.load(ordering: .acquiring) }

  /// Whether so much waits that new work has to be refused.
  var isBehind: Bool { backlog.load(ordering: .relaxed) > Self.backlogLimit }

  func load() async throws -> StoredSessions {
    try await store.load()
  }

  /// Brings to the store that the program is restoring its state, or that it is no longer.
  func setRestoring(_ isRestoring: Bool) {
    if isAbandoned { return }
    if let immediate { return immediate.applyRestoring(isRestoring) }
    inbox.post(CollectionOfOne(.restoring(isRestoring)))
  }

  func write(_ changes: [SessionChange]) {
    if isAbandoned { return }
    if let immediate { return immediate.apply(changes) }
    backlog.wrappingAdd(changes.count, ordering: .relaxed)
    inbox.post(changes.map { .change($0) })
  }

  /// Commits what waits, until the writer is closed and nothing waits any more.
  ///
  /// It is not to be cancelled: a store may heed that and leave the end of a run unwritten.
  ///
  /// - Throws: The store's error, if it refuses the last changes.
  func serve() async throws {
    while await inbox.waitForWork() {
      do {
        try await flush()
      } catch {
        log.error("the store refused changes", metadata: ["error": "\(error)"])
        try? await clock.sleep(for: .milliseconds(100))
      }
    }
    try await flush()
  }

  /// Commits everything that waits now.
  private func flush() async throws {
    let group = inbox.take()
    if group.isEmpty || isAbandoned { return }
    let changes = group.compactMap { if case .change(let change) = $0 { change } else { nil } }
    let marks = group.compactMap { if case .restoring(let mark) = $0 { mark } else { nil } }
    do {
      if let mark = marks.last { try await store.setRestoring(mark) }
      if !changes.isEmpty { try await store.commit(changes) }
    } catch {
      inbox.putBack(group)
      throw error
    }
    backlog.wrappingSubtract(changes.count, ordering: .relaxed)
  }

  /// Forgets what waits, and everything that comes later.
  func abandon() {
    abandonment.store(true, ordering: .releasing)
  }

  /// Lets the writer's task end, after one more commit of what waits.
  func close() {
    inbox.close()
  }
}
