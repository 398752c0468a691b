// SPDX-License-Identifier: Apache-2.0

/// A task that sleeps until it is woken: the runtime's only use of continuations.
///
/// A continuation must be resumed exactly once, and nothing checks it. Here the owner of a sleeper
/// keeps it under a lock and takes it out under the same lock before waking it.
@safe
struct Sleeper: Sendable {
  private let continuation: UnsafeContinuation<Void, Never>

  /// Puts the current task to sleep, unless there is no need any more.
  ///
  /// - Parameter keep: Stores the sleeper where it will be found and returns true, or returns false
  ///   if the task is to go on at once.
  static func sleep(_ keep: (Sleeper) -> Bool) async {
    unsafe await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      if !keep(unsafe Sleeper(continuation: continuation)) { unsafe continuation.resume() }
    }
  }

  func wake() {
    unsafe continuation.resume()
  }
}

/// Wakes the one task that serves a queue, and lets it sleep while there is nothing to serve.
///
/// It is behind the queue's own lock: the sender of an element calls `ring()`, and the serving task
/// calls `rest(_:)` after it has found the queue empty, so that no ring is lost.
struct Doorbell: Sendable {
  private var sleeper: Sleeper?

  /// Takes the sleeping task, if there is one; the caller wakes it outside the lock.
  mutating func ring() -> Sleeper? {
    sleeper.take()
  }

  /// Keeps the task until the next ring.
  mutating func rest(_ task: Sleeper) {
    precondition(sleeper == nil, "one task serves a queue")
    sleeper = task
  }
}
