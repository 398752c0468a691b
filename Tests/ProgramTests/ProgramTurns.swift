// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The right to run a program, which two tests have at a time: more would only make all slow.
enum ProgramTurns {
  private struct State {
    var free = 2
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let state = Mutex(State())

  /// Waits for a turn; the first to come is first.
  static func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Ends a turn, and begins the next one.
  static func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
