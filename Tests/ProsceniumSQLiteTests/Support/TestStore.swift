// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import Proscenium
@testable import ProsceniumSQLite

/// A store in a folder of its own, and what tests do with it.
struct TestStore {
  let folder: TemporaryFolder
  let store: SQLiteSessionStore
  private(set) var epoch: UInt32 = 0

  static let key = [UInt8](repeating: 7, count: 32)

  /// Opens the store of a folder.
  init(
    _ folder: TemporaryFolder, key: [UInt8] = TestStore.key, previous: [UInt8]? = nil,
    _ options: SQLiteSessionStore.Options = .init()
  ) throws {
    self.folder = folder
    store = try SQLiteSessionStore(
      path: folder.path("store"),
      key: .callback { try ApplicationKeys(primary: key, previous: previous) }, options: options)
  }

  init() throws {
    try self.init(TemporaryFolder())
  }

  /// Loads the store, and returns its rows by identifier.
  @discardableResult
  mutating func load() async throws -> [SessionIdentifier: SessionRow] {
    try await loadAll().rows
  }

  /// Loads the store.
  mutating func loadAll() async throws -> (
    load: StoreLoad, rows: [SessionIdentifier: SessionRow]
  ) {
    let rows = Guarded<[SessionIdentifier: SessionRow]>([:])
    let load = try await store.load { batch in
      rows.withLock { rows in
        for row in batch { rows[row.persistentIdentifier] = row }
      }
    }
    epoch = load.epoch
    return (load, rows.withLock { $0 })
  }

  /// Makes sessions with nothing in particular.
  func insert(_ sessions: [SessionIdentifier]) async throws {
    try await commit(sessions.map { ($0, .insert(SessionRow(persistentIdentifier: $0))) })
  }

  /// Saves a state of a session.
  func save(_ state: [UInt8], of session: SessionIdentifier) async throws {
    try await commit([(session, .save(try seal(state, of: session)))])
  }

  func seal(_ state: [UInt8], of session: SessionIdentifier) throws -> [UInt8] {
    try unsafe store.seal(state.span.bytes, of: session, epoch: epoch)
  }

  func commit(_ changes: [(SessionIdentifier, StoreChange.Kind)]) async throws {
    let refusals = try await store.commit(
      changes.map { StoreChange(session: $0.0, epoch: epoch, kind: $0.1) })
    if let refusal = refusals.values.first { throw refusal }
  }

  /// What is saved of a session.
  func state(of session: SessionIdentifier) throws -> [UInt8]? {
    try store.savedState(of: session)
  }

  /// Closes the store and opens it again.
  func reopened(
    key: [UInt8] = TestStore.key, previous: [UInt8]? = nil,
    _ options: SQLiteSessionStore.Options = .init()
  ) async throws -> TestStore {
    try await store.close()
    return try TestStore(folder, key: key, previous: previous, options)
  }
}

extension SessionIdentifier {
  /// An identifier that is spread as random ones are.
  static func test(_ number: Int) -> SessionIdentifier {
    var generator = SplitMix64(seed: UInt64(number))
    return SessionIdentifier(high: generator.next(), low: generator.next())
  }
}
