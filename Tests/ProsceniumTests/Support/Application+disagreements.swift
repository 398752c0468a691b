// SPDX-License-Identifier: Apache-2.0

import ProsceniumPrimitives
@testable import Proscenium

extension Application {
  /// The open sessions whose scenes are not where admission has them, as `S1 active, is B`.
  ///
  /// It is empty once everything that was admitted has run.
  nonisolated var disagreements: [String] {
    let decided = core.gate.withLock { gate in
      var decided: [(handle: SessionHandle, state: SessionLedger.State)] = []
      gate.ledger.forEachOpen { handle, record in decided.append((handle, record.state)) }
      return decided
    }
    return decided.compactMap { handle, state in
      let entry = core.directory.entry(handle)
      let found = entry.scene?.activationState ?? .unattached
      if found == state.expected, entry.flags[.isConnected] == state.isConnected { return nil }
      return "\(entry.identifier.label) \(state), is \(found.letter)"
    }
    .sorted()
  }
}

extension SessionLedger.State {
  fileprivate var expected: Scene.ActivationState {
    switch self {
    case .active: .foregroundActive
    case .inactive: .foregroundInactive
    case .background: .background
    case .free, .archived, .discarding, .dead: .unattached
    }
  }
}
