// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// Lets one task after the other have something, in the order in which they came.
  final class LinkTurn: Sendable {
    private let state = Guarded<(isTaken: Bool, waiting: Queue<CheckedContinuation<Void, Never>>)>(
      (false, Queue()))

    /// Waits until no other task has it.
    func take() async {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          if state.isTaken {
            state.waiting.append(continuation)
            return false
          }
          state.isTaken = true
          return true
        }
        if isFree { continuation.resume() }
      }
    }

    /// Gives it to the next one.
    func give() {
      let next = state.withLock { state in
        let next = state.waiting.popFirst()
        if next == nil { state.isTaken = false }
        return next
      }
      next?.resume()
    }
  }

  /// Lets tasks wait until there may be room.
  final class LinkRoom: Sendable {
    private let waiting = Guarded<[CheckedContinuation<Void, Never>]>([])

    /// Waits until something has changed, unless there is room already.
    func wait(unless hasRoom: () -> Bool) async {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0.append(continuation) }
        // What has changed before is seen here, and what changes later wakes the task.
        if hasRoom() { open() }
      }
    }

    /// Wakes all that wait.
    func open() {
      let all = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for continuation in all { continuation.resume() }
    }
  }
#endif
