// SPDX-License-Identifier: Apache-2.0

/// When the state of a scene is captured: how much of it the end of the process can cost.
///
/// What was captured is committed with everything else that waits, in groups, one commit after the
/// other; ``Application/sendDurably(_:to:)`` and
/// ``Scene/afterDurable(_:)`` wait for the commit.
public enum Durability: Sendable, Hashable {
  /// After each callback that called ``Scene/setNeedsCapture()``: what is lost is what the group
  /// held that was being committed, and what waited for it.
  case everyEvent
  /// At most a duration after ``Scene/setNeedsCapture()``, 1 ms or more.
  case within(Duration)
  /// When the scene enters the background, and again before a disconnect if it was marked
  /// since; the default, and what UIKit does.
  case onDisconnect
}

/// What the store has been brought so far, and how far behind it was.
public struct DurabilityReport: Sendable, Hashable {
  /// How many groups were committed.
  public var commits = 0

  /// How many changes they held.
  public var changes = 0

  /// How many bytes of saved state they held.
  public var bytes = 0

  /// How many changes wait.
  public var waiting = 0

  /// The longest time between ``Scene/setNeedsCapture()`` and the end of the commit that held the
  /// capture, of scenes that are captured at every event or within a duration: the loss bound that
  /// was achieved.
  public var lossBound = Duration.zero
}
