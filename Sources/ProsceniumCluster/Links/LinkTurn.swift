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

    /// Waits until something is so, and no longer than a time.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - clock: What it is measured by.
    ///   - isSo: Tells whether it is so; it is asked when the room is opened.
    func wait(
      within time: Duration, _ clock: any Clock<Duration>,
      until isSo: @escaping @Sendable () -> Bool
    ) async {
      let isOver = Guarded(false)
      await withDiscardingTaskGroup { group in
        // Ends when it is cancelled.
        group.addTask { @Sendable [self] in
          // What is waited for may never come.
          try? await clock.sleep(for: time)
          isOver.withLock { $0 = true }
          open()
        }
        let isEnough = { @Sendable in isOver.withLock { $0 } || isSo() }
        while !isEnough() { await wait(unless: isEnough) }
        group.cancelAll()
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
