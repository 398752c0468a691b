// SPDX-License-Identifier: Apache-2.0

#if Cluster
  import ProsceniumPrimitives

  /// What is given to another node, until that knows of it, and serves it: then it can take more.
  final class ServedSlices: Sendable {
    private struct State: Sendable {
      var receiver: Int32 = 0
      var left: Set<Int> = []
      var isAwaited = false
      /// How much it was told of what it is about to be given, and has not taken.
      var announced = 0
    }

    private let state = Guarded(State())
    private let room = LinkRoom()

    /// Begins to take note of slices that are about to be given.
    func expect(_ slices: Set<Int>, by receiver: Int32) {
      state.withLock { $0 = State(receiver: receiver, left: slices, isAwaited: true) }
    }

    /// Takes note that the receiver is told something of what it is about to be given.
    func announce() { state.withLock { $0.announced += 1 } }

    /// Takes note that a node has taken that.
    func noteKnown(by node: Int32) {
      state.withLock { if $0.receiver == node { $0.announced = max(0, $0.announced - 1) } }
      room.open()
    }

    /// Waits until the receiver has taken all of that, and no longer than a time.
    func waitUntilKnown(within time: Duration, _ clock: any Clock<Duration>) async {
      await room.wait(within: time, clock) { [self] in state.withLock { $0.announced == 0 } }
      state.withLock { $0.announced = 0 }
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
        if state.receiver == node { (state.isAwaited, state.announced) = (false, 0) }
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
