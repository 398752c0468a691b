// SPDX-License-Identifier: Apache-2.0

package import Proscenium
public import ProsceniumSQLite

/// The rules by which a log is replayed.
///
/// Values outside their range are brought to the nearest one inside.
public struct ReplaySettings: Hashable, Sendable {
  /// How fast log time passes; none does where stamps leap by more than a week, on or back.
  public enum Speed: Hashable, Sendable {
    /// As fast as the runtime delivers.
    case max
    /// So many seconds of log time a second; a value that is not positive counts as `max`.
    case times(Double)
  }

  /// How many sessions a user may have open: 1 or more.
  public var windows = 8

  /// After how many seconds of log time without a request a session goes to the background: 0 or
  /// more.
  public var idle: Int64 = 30 * 60

  /// How many scenes stay connected: 1 or more, or `nil` for all.
  ///
  /// Each user at work can exceed it by one scene for a moment: the system takes memory back after
  /// it was used, not before.
  public var connected: Int?

  /// How many paths a session keeps as its tabs: 1–``ReplayState/tabLimit``.
  public var tabs = 8

  /// How many shards the runtime has: 1–256.
  public var shards = 64

  /// How many users are served at the same time: 1–1,024.
  public var concurrency = 16

  /// How fast log time passes.
  public var speed = Speed.max

  /// Makes settings in which everything has its default value.
  public init() {}

  /// The same settings with every value inside its range.
  var clamped: ReplaySettings {
    var settings = self
    settings.windows = Swift.max(windows, 1)
    settings.idle = Swift.max(idle, 0)
    settings.connected = connected.map { Swift.max($0, 1) }
    settings.tabs = min(Swift.max(tabs, 1), ReplayState.tabLimit)
    settings.shards = min(Swift.max(shards, 1), 256)
    settings.concurrency = min(Swift.max(concurrency, 1), 1_024)
    return settings
  }
}

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
