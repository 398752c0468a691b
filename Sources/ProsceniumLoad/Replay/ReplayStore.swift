// SPDX-License-Identifier: Apache-2.0

package import Proscenium
public import ProsceniumSQLite

/// Where a replay keeps its sessions.
public enum ReplayStore: Sendable {
  /// In memory, for this run alone.
  case memory
  /// In a file that the next run goes on with, however this one ends.
  case file(String, key: any KeyProvider)

  /// Whether what is kept outlives the run.
  var isKept: Bool {
    if case .file = self { true } else { false }
  }

  /// The place in words.
  var name: String {
    if case .file(let path, _) = self { path } else { "the store" }
  }

  /// Opens the store.
  ///
  /// - Throws: What opening it throws, and `keyUnavailable` if there is no key: nothing could be
  ///   kept without one.
  package func open() throws(StoreError) -> any SessionStore {
    guard case .file(let path, let key) = self else { return InMemorySessionStore() }
    let store = try SQLiteSessionStore(path: path, key: key)
    do throws(SealingError) {
      _ = try key.keys()
    } catch {
      throw StoreError(.init(rawValue: error.code.rawValue), error.message)
    }
    return store
  }

  /// Closes a store, and opens what its file holds.
  func reopen(_ store: any SessionStore) async throws(StoreError) -> any SessionStore {
    guard isKept else { return store }
    try await close(store)
    return try open()
  }

  /// Closes a store.
  func close(_ store: any SessionStore) async throws(StoreError) {
    try await (store as? SQLiteSessionStore)?.close()
  }
}
