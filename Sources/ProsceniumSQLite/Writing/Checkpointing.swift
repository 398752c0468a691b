// SPDX-License-Identifier: Apache-2.0

import Proscenium
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Brings the log into the database beside the writer, on a connection and a thread of its own.
///
/// The writer goes on meanwhile. Once most of the log is there, it does the rest itself, so that
/// the log begins anew: beside a writer that never stops that would never happen.
final class Checkpointing: Sendable {
  /// The largest size of the log in bytes, 64 MiB.
  static let logLimit = 64 << 20

  /// From how many pages of the log on the work begins: 12 MiB.
  static let bulkPages = (12 << 20) / StoreSchema.pageSize

  /// From how many pages on everything waits for it: 44 MiB.
  ///
  /// The largest commit still fits below the limit.
  static let urgentPages = (44 << 20) / StoreSchema.pageSize

  /// How often the rest is looked at before the writer does it.
  private static let rounds = 4

  /// How long destroyed keys may stay in the log before it is cut off, in steps of 20 ms: 1 s.
  private static let patience = 50

  private let queue: ConnectionQueue
  private let isWorking = Atomic<Bool>(false)
  private let isWaitingToTruncate = Atomic<Bool>(false)
  private let isClosed = Atomic<Bool>(false)

  /// Opens the connection.
  ///
  /// - Throws: What SQLite refuses.
  init(_ path: String) throws(StoreError) {
    queue = try ConnectionQueue(path, label: "proscenium.store.checkpoint")
    try queue.wait { (connection) throws(StoreError) in
      try connection.execute("PRAGMA synchronous = FULL")
      try connection.execute("PRAGMA journal_size_limit = \(Self.logLimit)")
    }
  }

  /// Brings over what there is, then calls a function, unless that is under way already.
  func begin(then finish: @escaping @Sendable () -> Void) {
    guard isWorking.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    else { return }
    queue.start {
      self.work()
      self.isWorking.store(false, ordering: .relaxed)
      finish()
    }
  }

  /// Brings over what there is after a while, then calls a function, unless that is under way.
  func beginTruncation(then finish: @escaping @Sendable () -> Void) {
    guard
      isWaitingToTruncate.compareExchange(expected: false, desired: true, ordering: .relaxed)
        .exchanged
    else { return }
    waitToTruncate(Self.patience, finish)
  }

  private func waitToTruncate(_ steps: Int, _ finish: @escaping @Sendable () -> Void) {
    queue.start {
      var steps = steps
      while steps > 0, !self.isClosed.load(ordering: .relaxed) {
        // What waits behind comes first.
        if self.isWorking.load(ordering: .relaxed) { return self.waitToTruncate(steps, finish) }
        usleep(20_000)
        steps -= 1
      }
      self.work()
      self.isWaitingToTruncate.store(false, ordering: .relaxed)
      finish()
    }
  }

  private func work() {
    // What was begun when the connection was about to end comes behind its end. A connection that
    // is about to end is there until then: the queue does one thing after the other.
    for _ in 0..<Self.rounds where !isClosed.load(ordering: .relaxed) {
      // What fails here is done by the writer, and fails there.
      guard let isComplete = try? queue.connection.checkpoint(.passive), !isComplete else { return }
    }
  }

  /// Waits until nothing is under way; on the writer's thread.
  func wait() {
    isWorking.store(true, ordering: .relaxed)
    try? queue.wait { (_) throws(StoreError) in }
    isWorking.store(false, ordering: .relaxed)
  }

  /// Ends the connection.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    queue.close()
  }
}
