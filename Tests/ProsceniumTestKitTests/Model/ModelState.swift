// SPDX-License-Identifier: Apache-2.0

/// The state of a scene, in the order in which they count for the application's.
enum ModelState: Int, Comparable {
  case unattached, background, inactive, active

  /// The name of the state in vectors.
  var name: String {
    switch self {
    case .unattached: "unattached"
    case .background: "background"
    case .inactive: "foregroundInactive"
    case .active: "foregroundActive"
    }
  }

  /// The number of the state, which gives no order.
  var rawActivationState: Int {
    switch self {
    case .unattached: -1
    case .active: 0
    case .inactive: 1
    case .background: 2
    }
  }

  /// The letter of the state in the table of transitions.
  var letter: String {
    switch self {
    case .unattached: "U"
    case .background: "B"
    case .inactive: "I"
    case .active: "A"
    }
  }

  var isForeground: Bool { self >= .inactive }

  static func < (left: ModelState, right: ModelState) -> Bool { left.rawValue < right.rawValue }
}
