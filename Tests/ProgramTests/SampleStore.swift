// SPDX-License-Identifier: Apache-2.0

import Proscenium
import ProsceniumPredicate
import ProsceniumSQLite

/// A store in a file with two sessions, of which the first has a state.
enum SampleStore {
  static let first = SessionIdentifier(high: 1, low: 2)
  static let second = SessionIdentifier(high: 3, low: 4)

  /// Makes the store, with its key next to it.
  ///
  /// - Returns: The store, still open, and the state as it is sealed.
  static func make(at path: String) async throws -> (store: SQLiteSessionStore, record: [UInt8]) {
    let store = try SQLiteSessionStore(path: path, key: .file(path + ".key"))
    let epoch = try await store.load { _ in }.epoch
    var row = SessionRow(
      persistentIdentifier: first, configuration: StoredConfiguration(name: "editor"),
      lastActivated: 12, title: "A\u{1B}[31m title")
    row.activationConditions.can = try ContentPredicate(format: "SELF == 'a'")
    let other = SessionRow(persistentIdentifier: second)
    let state = try SavedState(
      activity: UserActivity("edit", title: "Draft", userInfo: ["line": 7])
    ).encoded()
    let record = try unsafe store.seal(state.span.bytes, of: first, epoch: epoch)
    _ = try await store.commit([
      StoreChange(session: first, epoch: epoch, kind: .insert(row)),
      StoreChange(session: second, epoch: epoch, kind: .insert(other)),
      StoreChange(session: first, epoch: epoch, kind: .save(record)),
    ])
    return (store, record)
  }
}
