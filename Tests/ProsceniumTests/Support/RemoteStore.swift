// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

/// A store outside the process's memory, as far as the runtime can see, that does what a test
/// wants.
final class RemoteStore: SessionStore {
  /// What it really is.
  let kept: InMemorySessionStore
  private let saved = Guarded(0)
  private let given: [SessionRow]?
  private let onLoad: @Sendable () async throws -> Void
  private let onReads: @Sendable ([SessionIdentifier]) async -> [SessionIdentifier]
  private let onRead: @Sendable (SessionIdentifier) throws(StoreError) -> Void
  private let onAnswers: @Sendable () async -> Void
  private let refusing: (@Sendable ([StoreChange]) -> [SessionIdentifier: StoreError])?
  private let onCommit: @Sendable ([StoreChange]) async throws(StoreError) -> Void

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - sessions: What it keeps at first.
  ///   - given: What it gives when it is loaded, if that is not what it keeps.
  ///   - onLoad: Is called before it is loaded.
  ///   - onReads: Is called before states are read, and says which of them are.
  ///   - onRead: Is called before a state is read.
  ///   - onAnswers: Is called after states were read, before they are given.
  ///   - refusing: Which sessions a commit refuses.
  ///   - onCommit: Is called before changes are applied.
  init(
    _ sessions: [StoredSession] = [], given: [SessionRow]? = nil,
    onLoad: @escaping @Sendable () async throws -> Void = {},
    onReads: @escaping @Sendable ([SessionIdentifier]) async -> [SessionIdentifier] = { $0 },
    onRead: @escaping @Sendable (SessionIdentifier) throws(StoreError) -> Void = { _ in },
    onAnswers: @escaping @Sendable () async -> Void = {},
    refusing: (@Sendable ([StoreChange]) -> [SessionIdentifier: StoreError])? = nil,
    onCommit: @escaping @Sendable ([StoreChange]) async throws(StoreError) -> Void = { _ in }
  ) {
    kept = InMemorySessionStore(sessions)
    self.given = given
    self.onLoad = onLoad
    self.onReads = onReads
    self.onRead = onRead
    self.onAnswers = onAnswers
    self.refusing = refusing
    self.onCommit = onCommit
  }

  func load(
    _ receive: @escaping @Sendable ([SessionRow]) throws -> Void
  ) async throws -> StoreLoad {
    try await onLoad()
    guard let given else { return try await kept.load(receive) }
    try receive(given)
    return try await kept.load { _ in }
  }

  func seal(
    _ state: RawSpan, of session: SessionIdentifier, epoch: UInt32
  ) throws(StoreError) -> [UInt8] {
    try kept.seal(state, of: session, epoch: epoch)
  }

  func commit(
    _ changes: [StoreChange]
  ) async throws(StoreError) -> [SessionIdentifier: StoreError] {
    try await onCommit(changes)
    let refused = refusing?(changes) ?? [:]
    let refusals = kept.apply(changes.filter { refused[$0.session] == nil })
    saved.withLock { $0 += changes.filter(\.isSave).count }
    return refusals.merging(refused) { $1 }
  }

  /// How many states were committed.
  var saves: Int { saved.withLock { $0 } }

  func savedStates(
    of sessions: [SessionIdentifier]
  ) async -> [SessionIdentifier: Result<[UInt8]?, StoreError>] {
    let answers = answers(of: await onReads(sessions)) { (session) throws(StoreError) in
      try onRead(session)
      return kept.savedState(of: session)
    }
    await onAnswers()
    return answers
  }

  func setRestoring(_ isRestoring: Bool) async throws(StoreError) {
    kept.applyRestoring(isRestoring)
  }

  func setRunningTime(_ milliseconds: Int64, epoch: UInt32) async throws(StoreError) {
    kept.applyRunningTime(milliseconds, epoch: epoch)
  }
}

extension StoreChange {
  var isSave: Bool {
    if case .save = kind { true } else { false }
  }
}

extension SessionStore {
  /// What loading it comes to: its sessions, and those that were discarded in between.
  func loaded() async throws -> (open: [SessionRow], discarded: [SessionRow], load: StoreLoad) {
    let rows = Guarded<[SessionRow]>([])
    let load = try await load { batch in rows.withLock { $0 += batch } }
    let all = rows.withLock { $0 }
    return (all.filter { !$0.isDiscarded }, all.filter(\.isDiscarded), load)
  }
}

extension StoredSession {
  /// Its row, as a store gives it.
  func row(isDiscarded: Bool = false) -> SessionRow {
    var row = self.row
    row.lastActivated = lastActivated
    row.isDiscarded = isDiscarded
    return row
  }
}
