// SPDX-License-Identifier: Apache-2.0

import Proscenium

/// The heading of a session: the state of its scene, or that it has none.
enum CardState: Int, Sendable, CaseIterable {
  case active
  case inactive
  case background
  case disconnected

  init(_ state: Scene.ActivationState?) {
    switch state {
    case .foregroundActive: self = .active
    case .foregroundInactive: self = .inactive
    case .background: self = .background
    case .unattached, nil: self = .disconnected
    }
  }

  /// The heading.
  var title: String {
    switch self {
    case .active: "Foreground, active"
    case .inactive: "Foreground, inactive"
    case .background: "Background"
    case .disconnected: "Disconnected"
    }
  }

  /// The name in identifiers and classes of the page.
  var name: String {
    switch self {
    case .active: "active"
    case .inactive: "inactive"
    case .background: "background"
    case .disconnected: "disconnected"
    }
  }
}

extension SceneCensus {
  /// How many sessions are under a heading.
  subscript(_ state: CardState) -> Int {
    switch state {
    case .active: active
    case .inactive: inactive
    case .background: background
    case .disconnected: disconnected
    }
  }
}
