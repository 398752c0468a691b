// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives

/// Waits until the end is asked for or the task is cancelled.
final class ShutdownSignal: Sendable {
  private enum State {
    case open
    case awaited(Sleeper)
    case given
  }

  private let state = Guarded(State.open)

  func wait() async {
    await withTaskCancellationHandler {
      await sleepUntilGiven()
    } onCancel: {
      give()
    }
  }

  private func sleepUntilGiven() async {
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        if case .given = state { return false }
        state = .awaited(sleeper)
        return true
      }
    }
  }

  /// Ends the waiting.
  func give() {
    let sleeper = state.withLock { state -> Sleeper? in
      defer { state = .given }
      if case .awaited(let sleeper) = state { return sleeper }
      return nil
    }
    sleeper?.wake()
  }
}
