// SPDX-License-Identifier: Apache-2.0

extension LifecycleEvent.Reason {
  /// A reason without what belongs to it.
  package enum Name: String, Hashable, CaseIterable {
    case dismissed, system, pressure, idle, restorationTimedOut, termination, whileNotRunning
    case unresolvableConfiguration, destructionCondition, expired, handedOver, fenced
  }

  /// Whether the session goes on in another process.
  package var isDeparture: Bool { self == .handedOver || self == .fenced }

  /// The reason without what belongs to it.
  package var name: Name {
    switch self {
    case .dismissed: .dismissed
    case .system: .system
    case .pressure: .pressure
    case .idle: .idle
    case .restorationTimedOut: .restorationTimedOut
    case .termination: .termination
    case .whileNotRunning: .whileNotRunning
    case .unresolvableConfiguration: .unresolvableConfiguration
    case .destructionCondition: .destructionCondition
    case .expired: .expired
    case .handedOver: .handedOver
    case .fenced: .fenced
    }
  }
}

extension LifecycleEvent.Loss {
  /// What kind of thing was lost.
  package var name: String {
    switch self {
    case .message: "message"
    case .event: "event"
    case .handoff: "handoff"
    }
  }
}
