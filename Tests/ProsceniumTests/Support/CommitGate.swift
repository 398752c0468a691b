// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

/// Holds the commits of a store until a test lets them pass.
final class CommitGate: Sendable {
  private struct State: Sendable {
    var isOpen = true
    var waiting: [Sleeper] = []
    var arrivals = 0
  }

  private let state = Guarded(State())

  /// How many commits have come to the gate.
  var arrivals: Int { state.withLock { $0.arrivals } }

  func close() {
    state.withLock { $0.isOpen = false }
  }

  func open() {
    let sleepers = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for sleeper in sleepers { sleeper.wake() }
  }

  /// Passes the gate as soon as it is open.
  func pass() async {
    state.withLock { $0.arrivals += 1 }
    await Sleeper.sleep { sleeper in
      state.withLock { state in
        if state.isOpen { return false }
        state.waiting.append(sleeper)
        return true
      }
    }
  }

  /// A store whose commits pass this gate.
  func store(_ sessions: [StoredSession] = []) -> RemoteStore {
    RemoteStore(sessions, onCommit: { (_) throws(StoreError) in await self.pass() })
  }
}
