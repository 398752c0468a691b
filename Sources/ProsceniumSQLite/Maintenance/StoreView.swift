// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Proscenium
import ProsceniumSealing
import ProsceniumStoring

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One state of a store's file, for tools.
///
/// It is read and never changed, nor is any file made next to it, so that the folder may be one
/// that cannot be written. It maps nothing into memory, and needs no lock, so that an application
/// can use the store at the same time.
///
/// Of a store that is in use, SQLite keeps the state for as long as the view is open: the log keeps
/// growing if the store is being written. One that is not in use SQLite would have to write to for
/// that. There the view is worth something until a program brings a log into the file, which
/// ``read(_:)`` notices.
final class StoreView {
  let path: String
  let connection: SQLiteConnection

  /// The row of the table `store`; `nil` if it is damaged.
  let store: StoreRow?

  /// The application's keys, if they were given.
  let ring: KeyRing?

  private let location: StoreLocation

  /// The file as it was before it was opened, if no process had it open.
  private let state: FileState?

  /// Opens a store's file.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - key: Where the application key comes from, or `nil` to open no state.
  /// - Throws: `unusable` if there is no store; `newerVersion`; `wrongKey` if the key is not the
  ///   store's; whatever the provider throws; or what SQLite refuses.
  init(_ path: String, key: (any KeyProvider)?) throws(StoreError) {
    self.path = path
    try Self.checkFile(path)
    location = try StoreLocation(path)
    try location.requireOneName()
    let state = FileState(location.path)
    let sharing = try Self.sharing(location)
    self.state = sharing == .shared ? nil : state
    connection = try SQLiteConnection.openForReading(location.path, sharing)
    do throws(StoreError) {
      store = try Self.begin(connection)
    } catch {
      connection.close()
      guard error.code == .damaged || error.code == .unusable else { throw error }
      throw StoreError(.unusable, DatabaseFile.complaint(about: path) ?? error.message)
    }
    do throws(StoreError) {
      ring =
        if let key {
          KeyRing(try StoreError.sealing { () throws(SealingError) in try key.keys() })
        } else {
          nil
        }
      try Self.check(ring, for: store, path)
    } catch {
      connection.close()
      throw error
    }
  }

  /// How a store can be had without changing anything.
  private static func sharing(
    _ location: StoreLocation
  ) throws(StoreError) -> SQLiteConnection.Sharing {
    // A process that has it open has the log's index open as well.
    if StoreLock.isHeld(location) { return .shared }
    if size(location.logPath) > 0 { return .aloneWithLog }
    guard size(location.journalPath) == 0 else {
      throw StoreError(
        .unusable,
        "\(location.path): expected a store, found a database that a program was changing when it"
          + " ended: \(location.journalPath) is a part of it.")
    }
    return .alone
  }

  deinit {
    connection.close()
  }

  /// Refuses what SQLite would call by a name that does not help.
  private static func checkFile(_ path: String) throws(StoreError) {
    var status = stat()
    let found: String
    if path.isEmpty || path.utf8.contains(0) {
      found = "a path that no file can have"
    } else if unsafe stat(path, &status) != 0 {
      let number = errno
      found = number == ENOENT || number == ENOTDIR ? "no file" : SystemError.text(number)
    } else if let kind = FileState(path)?.otherKind {
      found = kind
    } else if unsafe access(path, R_OK) != 0 {
      found = "a file that may not be read"
    } else if status.st_size == 0 {
      found = "an empty file"
    } else {
      return
    }
    throw StoreError(.unusable, "\(path): expected a store, found \(found).")
  }

  /// Begins to see one state of the database.
  private static func begin(_ connection: SQLiteConnection) throws(StoreError) -> StoreRow? {
    try connection.execute("BEGIN")
    if try StoreOpening.checkKind(of: connection) == 0 {
      throw StoreError(
        .unusable,
        "\(connection.path): expected a store of version \(StoreSchema.version), found one that was"
          + " only begun to be made.")
    }
    try StoreSchema.check(on: connection)
    return try StoreRow.read(on: connection)
  }

  private static func check(
    _ ring: KeyRing?, for store: StoreRow?, _ path: String
  ) throws(StoreError) {
    guard let ring, let store else { return }
    for check in [store.keyCheck, store.nextKeyCheck]
    where !check.isEmpty && !ring.recognises(check) {
      throw StoreError(
        .wrongKey,
        "\(path): expected the application key that the store is sealed with, found another.")
    }
  }

  /// How many bytes the file and its log have.
  var fileSizes: (database: Int, log: Int) {
    (Self.size(location.path), Self.size(location.logPath))
  }

  private static func size(_ path: String) -> Int { FileState(path)?.size ?? 0 }

  // MARK: - Reading

  /// Calls a function that reads; what comes of it counts if the view still shows one state.
  ///
  /// - Throws: What the function throws, or `inUse` if a program has begun to write to the file.
  func read<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let result = Swift.Result { () throws(StoreError) in try body() }
    if let state, FileState(location.path) != state {
      throw StoreError(
        .inUse,
        "\(path): expected a store that stays as it is or is in use from the beginning, found that"
          + " a program began to write to it: look again.")
    }
    return try result.get()
  }

  /// Calls a function that opens a view and reads; again if a program began to write,
  /// whose store can be seen then for as long as it takes.
  static func retrying<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    for _ in 0..<2 {
      do throws(StoreError) { return try body() } catch  where error.code == .inUse { continue }
    }
    return try body()
  }
}

/// Opens what is kept of sessions, for tools that look at a store.
struct SessionOpener {
  let configurations: ConfigurationTable
  private let ring: KeyRing
  private let salt: SealingSalt

  init(_ ring: KeyRing, _ configurations: ConfigurationTable) {
    self.ring = ring
    self.configurations = configurations
    var generator = SystemRandomness()
    salt = .random(using: &generator)
  }

  /// Opens the saved state that was found of a session.
  ///
  /// - Returns: The state, or `nil` if it has none.
  /// - Throws: `damaged` if anything of it is not as it was written.
  func open(_ found: StateReader.Found) throws(StoreError) -> [UInt8]? {
    try found.open(configurations) { (row) throws(StoreError) in
      do throws(SealingError) {
        return SessionSeal(try ring.unwrap(row.key).key, salt)
      } catch {
        throw row.damage(error.message)
      }
    }
  }
}
