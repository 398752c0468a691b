// SPDX-License-Identifier: Apache-2.0

import GRDB
import GRDBSQLite
import Proscenium
import ProsceniumPrimitives
import Synchronization

/// A connection that writes, with the thread on which everything is done with it, in order.
///
/// Writing waits for the disk. It must not do so on a thread that runs scenes.
final class ConnectionQueue: TaskExecutor {
  private let queue: DatabaseQueue

  /// The thread that runs work of the queue now; 0 if there is none.
  private let thread = Atomic<UInt>(0)

  private let pointed: SQLiteConnection
  private let hasEnded = Atomic<Bool>(false)

  /// The connection, to be used in what the queue runs alone, and not after ``close()``.
  var connection: SQLiteConnection {
    assert(!hasEnded.load(ordering: .relaxed), "the connection has ended")
    return pointed
  }

  /// Whether the connection has ended.
  var isClosed: Bool { hasEnded.load(ordering: .relaxed) }

  /// Opens a connection, and the file if there is none.
  ///
  /// - Throws: `unusable` if the file is no database.
  init(_ path: String, label: String) throws(StoreError) {
    var configuration = Configuration()
    configuration.label = label
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(10)
    configuration.prepareDatabase { database in
      // It concerns a new file alone, before anything is written.
      try database.execute(sql: "PRAGMA page_size = \(StoreSchema.pageSize)")
    }
    // A path that looks like a URL would be read as one.
    let name = path.hasPrefix("/") ? path : "./" + path
    do {
      queue = try DatabaseQueue(path: name, configuration: configuration)
      pointed = try queue.writeWithoutTransaction { database in
        guard let pointer = unsafe database.sqliteConnection else {
          throw DatabaseError(resultCode: .SQLITE_MISUSE)
        }
        // The transactions of a store are none of GRDB's business.
        unsafe sqlite3_commit_hook(pointer, nil, nil)
        unsafe sqlite3_rollback_hook(pointer, nil, nil)
        unsafe sqlite3_update_hook(pointer, nil, nil)
        unsafe sqlite3_wal_autocheckpoint(pointer, 0)
        return unsafe SQLiteConnection(pointer, path: path)
      }
    } catch {
      let refusal = Self.storeError(error, path)
      guard refusal.code == .unusable else { throw refusal }
      throw StoreError(.unusable, DatabaseFile.complaint(about: path) ?? refusal.message)
    }
  }

  private static func storeError(_ error: any Error, _ path: String) -> StoreError {
    guard let error = error as? DatabaseError else {
      return StoreError(.failed, "\(path): expected a database that can be opened: \(error)")
    }
    let code: StoreError.Code =
      switch error.resultCode {
      case .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_CANTOPEN: .unusable
      case .SQLITE_BUSY, .SQLITE_LOCKED: .inUse
      case .SQLITE_FULL: .full
      default: .failed
      }
    return StoreError(
      code, "\(path): expected a store's database: \(error.message ?? "SQLite refuses it")")
  }

  /// Runs work and waits for it; not on a thread that runs scenes.
  func wait<Success>(
    _ work: (SQLiteConnection) throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    let result: Result<Success, StoreError> = queue.writeWithoutTransaction { _ in
      do throws(StoreError) {
        return .success(try work(pointed))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Runs work after what was given before, and lets go of it.
  ///
  /// The queue may go with it: whatever the work alone has held ends on the queue's thread.
  func start(_ work: @escaping @Sendable () -> Void) {
    let work = Work(work)
    queue.asyncWriteWithoutTransaction { _ in
      self.thread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
      work.run()
      self.thread.store(0, ordering: .relaxed)
    }
  }

  /// Work that nothing else holds.
  private final class Work: Sendable {
    private let body: Guarded<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = Guarded(body)
    }

    /// Runs it once; what it has held is gone when this returns.
    @inline(never)
    func run() {
      body.withLock { $0.take() }?()
    }
  }

  /// Runs a part of a task that prefers the queue's thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    start { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Whether the caller runs on the queue's thread.
  private var isCurrent: Bool { thread.load(ordering: .relaxed) == ThreadIdentity.current.rawValue }

  /// Runs work after what was given before, and returns what it returns; at once if the caller is
  /// on the queue's thread already.
  func run<Success: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Success
  ) async throws(Failure) -> Success {
    if isCurrent { return try work() }
    return try await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Success, Failure>, Never>) in
      start {
        do throws(Failure) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }.get()
  }

  /// Ends the connection; its statements were ended before.
  ///
  /// On the queue's own thread, where it cannot be waited for, it ends with the queue's last
  /// reference.
  ///
  /// - Throws: `failed` if the system refuses.
  func close() throws(StoreError) {
    if isCurrent { return }
    do {
      try queue.close()
      hasEnded.store(true, ordering: .relaxed)
    } catch {
      throw Self.storeError(error, pointed.path)
    }
  }
}
