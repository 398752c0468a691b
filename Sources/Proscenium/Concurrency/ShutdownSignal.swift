// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
import ServiceLifecycle

/// Waits until the task is cancelled or its service group shuts down gracefully.
///
/// `ServiceLifecycle` has a function of its own for it, which starts tasks that belong to nobody;
/// here everything stays on the executor of whoever waits.
final class ShutdownSignal: Sendable {
  private enum State {
    case open
    case awaited(Sleeper)
    case given
  }

  private let state = Guarded(State.open)

  func wait() async {
    await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        await sleepUntilGiven()
      } onGracefulShutdown: {
        self.give()
      }
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
