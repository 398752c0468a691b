// SPDX-License-Identifier: Apache-2.0

import CSQLite
public import Proscenium
public import ProsceniumSealing
import ProsceniumStoring

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Makes a store of this version of an older one.
public enum StoreUpgrade: Sendable {
  /// How many sessions are written together.
  private static let group = 1_024

  /// Upgrades a store that no application uses.
  ///
  /// The new store is written to a file of its own and verified; then it takes the old one's place,
  /// which stays as `PATH.version4`. One of version 5 is changed where it is, as it is whenever a
  /// program opens it. Where anything fails, the old store is as it was.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - key: Where the application key comes from.
  /// - Returns: How many sessions were brought over, and the path of the old store if it was kept.
  /// - Throws: `unusable` if it is no store of version 4 or 5; `inUse`; `damaged` with a session
  ///   that cannot be read; `wrongKey`; `full` or `failed` if the system refuses.
  public static func run(
    _ path: String, key: any KeyProvider
  ) async throws(StoreError) -> (sessions: Int, kept: String?) {
    let location = try StoreLocation(path)
    guard NewFile.isThere(location.path) else {
      throw StoreError(.unusable, "\(location.path): expected a store, found no file.")
    }
    try location.requireOneName()
    if try await inConnection(
      location.path,
      { (connection) throws(StoreError) in
        try connection.integer("PRAGMA user_version")
      }) == StoreSchema.migratedVersion
    {
      return (try await migrate(location.path, key: key), nil)
    }
    return try await replace(location, key: key)
  }

  /// Does something with the file of a store.
  private static func inConnection<Success>(
    _ path: String, _ work: (SQLiteConnection) async throws(StoreError) -> Success
  ) async throws(StoreError) -> Success {
    let connection = try SQLiteConnection.open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX)
    defer { connection.close() }
    return try await work(connection)
  }

  /// Opens a store of the version before, and says how many sessions it has.
  private static func migrate(
    _ path: String, key: any KeyProvider
  ) async throws(StoreError) -> Int {
    let store = try SQLiteSessionStore(path: path, key: key)
    try await store.close()
    return try await inConnection(path) { (connection) throws(StoreError) in
      Int(clamping: try connection.integer("SELECT count(*) FROM session"))
    }
  }

  /// Puts a store of this version in the place of one of version 4.
  private static func replace(
    _ location: StoreLocation, key: any KeyProvider
  ) async throws(StoreError) -> (sessions: Int, kept: String?) {
    let lock = try StoreLock(location)
    defer { lock.release() }
    let kept = "\(location.path).version\(OldStore.version)"
    let new = location.path + ".upgrading"
    guard !NewFile.isThere(kept) else {
      throw StoreError(.failed, "\(kept): expected no file, found that there is one already.")
    }
    for suffix in ["", "-wal", "-shm", ".lock"] { unsafe unlink(new + suffix) }
    let ring = KeyRing(try StoreError.sealing { () throws(SealingError) in try key.keys() })
    let count = try await inConnection(location.path) { (connection) throws(StoreError) in
      // Everything is in the one file from here on.
      _ = try connection.checkpoint(.truncating)
      var old = try OldStore(connection, ring)
      return try await copy(&old, to: new, key)
    }
    let report = try StoreVerification.run(new, key: key)
    if let damage = report.damage.first { throw damage }
    try rename(location.path, kept)
    try rename(new, location.path)
    for suffix in ["-wal", "-shm"] { unsafe unlink(location.path + suffix) }
    unsafe unlink(new + ".lock")
    return (count, kept)
  }

  private static func copy(
    _ old: inout OldStore, to path: String, _ key: any KeyProvider
  ) async throws(StoreError) -> Int {
    let store = try SQLiteSessionStore(path: path, key: key)
    let epoch: UInt32
    do {
      epoch = try await store.load { _ in }.epoch
    } catch {
      throw error as? StoreError ?? StoreError(.failed, "\(error)")
    }
    var (count, last) = (0, Int64.min)
    while true {
      let part = try old.readSessions(after: &last, limit: group)
      if part.isEmpty { break }
      count += part.count
      var changes: [StoreChange] = []
      for session in part {
        let identifier = session.row.persistentIdentifier
        changes.append(StoreChange(session: identifier, epoch: epoch, kind: .insert(session.row)))
        guard let state = session.state else { continue }
        let sealed = try unsafe store.seal(state.span.bytes, of: identifier, epoch: epoch)
        changes.append(StoreChange(session: identifier, epoch: epoch, kind: .save(sealed)))
      }
      if let refusal = try await store.commit(changes).first { throw refusal.value }
      let discarded = part.filter(\.row.isDiscarded).map(\.row.persistentIdentifier)
      if !discarded.isEmpty { try await store.discardWhileNotRunning(discarded) }
    }
    try await store.close()
    return count
  }

  private static func rename(_ old: String, _ new: String) throws(StoreError) {
    guard systemRename(old, new) == 0 else {
      throw StoreError(
        .failed, "\(new): expected a name that can be given: \(SystemError.text(errno))")
    }
  }

  private static func systemRename(_ old: String, _ new: String) -> CInt {
    #if canImport(Darwin)
      unsafe Darwin.rename(old, new)
    #elseif canImport(Musl)
      unsafe Musl.rename(old, new)
    #else
      unsafe Glibc.rename(old, new)
    #endif
  }
}
