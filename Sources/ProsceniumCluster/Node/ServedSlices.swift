// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// What was given to another node, until that serves it: then it can take more.
  final class ServedSlices: Sendable {
    private struct State: Sendable {
      var receiver: Int32 = 0
      var left: Set<Int> = []
      var isAwaited = false
    }

    private let state = Guarded(State())
    private let room = LinkRoom()

    /// Begins to take note of slices that are about to be given.
    func expect(_ slices: Set<Int>, by receiver: Int32) {
      state.withLock { $0 = State(receiver: receiver, left: slices, isAwaited: true) }
    }

    /// Takes note that a node serves slices.
    func note(_ slices: [Int], by node: Int32) {
      state.withLock { state in
        guard state.isAwaited, state.receiver == node else { return }
        state.left.subtract(slices)
        state.isAwaited = !state.left.isEmpty
      }
      room.open()
    }

    /// A node is dead, and serves nothing any more.
    func end(_ node: Int32) {
      state.withLock { state in
        if state.receiver == node { state.isAwaited = false }
      }
      room.open()
    }

    /// Waits until everything is served, and no longer than a time; returns whether it is.
    func wait(within time: Duration, _ clock: any Clock<Duration>) async -> Bool {
      // A connection that breaks can take the answer with it.
      await room.wait(within: time, clock) { [self] in !isAwaited }
      return state.withLock { state in
        state.isAwaited = false
        return state.left.isEmpty
      }
    }

    private var isAwaited: Bool { state.withLock { $0.isAwaited } }
  }
#endif
