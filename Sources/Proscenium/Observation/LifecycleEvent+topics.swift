// SPDX-License-Identifier: Apache-2.0

extension LifecycleEvent {
  /// Which events an observer wants; others are not made.
  public struct Topics: OptionSet, Sendable, Hashable {
    /// The topics, a bit each.
    public let rawValue: UInt8

    /// Creates a set from its bits; those without a meaning are ignored.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// What begins, ends, is lost or goes wrong: every kind that no other topic names.
    public static let lives = Topics(rawValue: 1)
    /// How scenes go from state to state, and what UIKit posts about scenes and the application.
    public static let states = Topics(rawValue: 2)
    /// That a scene was asked for its state.
    public static let captures = Topics(rawValue: 4)
    /// The passes of the switcher's snapshots, and that a scene has settled in the background.
    public static let snapshots = Topics(rawValue: 8)
    /// Where events were routed to.
    public static let routing = Topics(rawValue: 16)
    /// Everything.
    public static let all: Topics = [.lives, .states, .captures, .snapshots, .routing]
  }
}

extension LifecycleEvent.Kind {
  /// The topic to which the event belongs.
  var topic: LifecycleEvent.Topics {
    switch self {
    case .notification, .applicationNotification, .transition: .states
    case .captured: .captures
    case .snapshotTaken, .settledInBackground: .snapshots
    case .routed: .routing
    case .configured, .connected, .disconnected, .discarded, .left, .woken, .lost, .diagnosed,
      .failed:
      .lives
    }
  }
}

/// Who is told of events, in the moment in which they happen.
package struct LifecycleObserver: Sendable {
  let topics: LifecycleEvent.Topics
  let see: @Sendable (LifecycleEvent) -> Void

  /// Makes an observer of some topics.
  package init(
    _ topics: LifecycleEvent.Topics = .all, see: @escaping @Sendable (LifecycleEvent) -> Void
  ) {
    self.topics = topics
    self.see = see
  }
}
