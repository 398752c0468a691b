// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Dispatch
import Proscenium
import ProsceniumPrimitives
import Synchronization

/// A connection that writes, with the serial queue on which everything is done with it, in order.
///
/// Writing waits for the disk. It must not do so on a thread that runs scenes.
final class ConnectionQueue: TaskExecutor {
  private let queue: DispatchQueue

  /// The thread that runs work of the queue now; 0 if there is none.
  private let thread = Atomic<UInt>(0)

  private let opened: SQLiteConnection
  private let hasEnded = Atomic<Bool>(false)

  /// The connection, to be used in what the queue runs alone, and not after ``close()``.
  var connection: SQLiteConnection {
    assert(!isClosed, "the connection has ended")
    return opened
  }

  /// Whether the connection has ended.
  var isClosed: Bool { hasEnded.load(ordering: .relaxed) }

  /// Opens a connection, and the file if there is none.
  ///
  /// - Throws: `unusable` if the file is no database.
  init(_ path: String, label: String) throws(StoreError) {
    queue = DispatchQueue(label: label)
    do throws(StoreError) {
      opened = try SQLiteConnection.open(
        path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX)
    } catch  where error.code == .damaged || error.code == .unusable {
      throw StoreError(.unusable, DatabaseFile.complaint(about: path) ?? error.message)
    }
  }

  deinit {
    if !isClosed { opened.close() }
  }

  /// Runs work and waits for it; not on a thread that runs scenes.
  func wait<Success>(
    _ work: (SQLiteConnection) throws(StoreError) -> Success
  ) throws(StoreError) -> Success {
    let result: Result<Success, StoreError> = queue.sync {
      Result { () throws(StoreError) in try work(opened) }
    }
    return try result.get()
  }

  /// Runs work after what was given before, and lets go of it.
  ///
  /// The queue may go with it: whatever the work alone has held ends on the queue's thread.
  func start(_ work: @escaping @Sendable () -> Void) {
    let work = Guarded<(@Sendable () -> Void)?>(work)
    queue.async {
      self.thread.store(ThreadIdentity.current.rawValue, ordering: .relaxed)
      Self.run(work)
      self.thread.store(0, ordering: .relaxed)
    }
  }

  /// Runs work after a while.
  func start(after time: DispatchTimeInterval, _ work: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + time, execute: work)
  }

  /// Runs work that nothing else holds; what it has held is gone when this returns.
  @inline(never)
  private static func run(_ work: borrowing Guarded<(@Sendable () -> Void)?>) {
    work.withLock { $0.take() }?()
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
      start { continuation.resume(returning: Result(catching: work)) }
    }.get()
  }

  /// Ends the connection; its statements were ended before.
  func close() {
    if isCurrent { return end() }
    queue.sync { end() }
  }

  private func end() {
    if !hasEnded.exchange(true, ordering: .relaxed) { opened.close() }
  }
}
